import { expect, test } from 'vitest';
import { Cache } from '../../../shared/cache/cache.ts';
import {
  failuresOf,
  forgetServed,
  isServed,
  isServedForNow,
  leaveProvider,
  rememberFailures,
  rememberServed,
} from '../../../shared/cache/provisioned.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

const minute = 60_000;

const owner = { apiVersion: 'cluster.k8s.io/v1alpha1', kind: 'MachineSet', name: 's', uid: 's-1' };
const aMachine = (metadata: object = {}, fields: object = {}): KubeObject => ({
  metadata: {
    name: 'm-1',
    uid: 'uid-1',
    resourceVersion: '7',
    generation: 1,
    labels: { a: 'b' },
    annotations: { c: 'd' },
    finalizers: ['e'],
    ownerReferences: [owner],
    ...metadata,
  },
  spec: { providerID: 'x://1', providerSpec: { value: { size: 'small' } } },
  status: { addresses: [] },
  ...fields,
});

test.each<[when: string, milliseconds: number, setBack: number, isInStep: boolean]>([
  ['at once', 0, 0, true],
  ['just before ten minutes are over', 10 * minute - 1, 0, true],
  ['after ten minutes', 10 * minute, 0, false],
  ['just before ten minutes are over by a clock that was set back', 10 * minute - 1, 60 * minute, true],
  ['after ten minutes by a clock that was set back', 10 * minute, 60 * minute, false],
])(
  'a Machine that was found in step is known to be, or not, %s',
  async (_when, milliseconds, setBack, is) => {
    const clock = manualClock();
    const cache = new Cache(clock);
    rememberServed(cache, aMachine(), true);
    clock.setBack(setBack);
    await clock.advance(milliseconds);
    expect([isServedForNow(cache, aMachine()), isServed(cache, aMachine())]).toEqual([is, is]);
    expect(isServedForNow(cache, aMachine({ uid: 'uid-2' }))).toBe(false);
  },
);

test.each<[what: string, machine: KubeObject, isInStep: boolean]>([
  ['its status', aMachine({ resourceVersion: '8' }, { status: { addresses: ['new'] } }), true],
  [
    'its providerID',
    aMachine({ generation: 2 }, { spec: { providerSpec: { value: { size: 'small' } } } }),
    true,
  ],
  ['what else is in its spec', aMachine({}, { spec: { providerSpec: { value: { size: 'large' } } } }), false],
  ['a spec that it has no longer', aMachine({}, { spec: undefined }), false],
  [
    'the order of fields alone',
    aMachine(
      { ownerReferences: [Object.fromEntries(Object.entries(owner).toReversed())] },
      { spec: { providerSpec: { value: { size: 'small' } }, providerID: 'x://1' } },
    ),
    true,
  ],
  ['a label', aMachine({ labels: { a: 'c' } }), false],
  ['an annotation', aMachine({ annotations: {} }), false],
  ['a finalizer', aMachine({ finalizers: [] }), false],
  ['an owner', aMachine({ ownerReferences: [{ ...owner, uid: 's-2' }] }), false],
])('a Machine is in step or not where it differs in %s', (_what, machine, isInStep) => {
  const cache = new Cache(manualClock());
  rememberServed(cache, aMachine(), true);
  expect(isServedForNow(cache, machine)).toBe(isInStep);
});

test('a Machine of which there is soon more to report is served, but not in step', () => {
  const cache = new Cache(manualClock());
  rememberServed(cache, aMachine(), false);
  expect([isServed(cache, aMachine()), isServedForNow(cache, aMachine())]).toEqual([true, false]);
});

test.each<[when: string, milliseconds: number, isLeft: boolean]>([
  ['before that time is over', 42_999, true],
  ['once it is over', 43_000, false],
])(
  'a Machine whose provider is to be left alone is left alone, or not, %s',
  async (_when, milliseconds, is) => {
    const clock = manualClock();
    const cache = new Cache(clock);
    leaveProvider(cache, aMachine(), 43_000);
    await clock.advance(milliseconds);
    expect([isServedForNow(cache, aMachine()), isServed(cache, aMachine())]).toEqual([is, is]);
    expect(isServedForNow(cache, aMachine({ labels: {} }))).toBe(false);
  },
);

test('what is tried again is neither', () => {
  const cache = new Cache(manualClock());
  rememberServed(cache, aMachine(), true);
  forgetServed(cache, 'uid-2');
  expect(isServedForNow(cache, aMachine())).toBe(true);
  forgetServed(cache, 'uid-1');
  expect([isServed(cache, aMachine()), isServedForNow(cache, aMachine())]).toEqual([false, false]);
});

test('of what a Machine asks for it is known how often it could not be done, until it is', () => {
  const cache = new Cache(manualClock());
  expect(failuresOf(cache, aMachine())).toBe(0);
  rememberFailures(cache, aMachine(), 3);
  forgetServed(cache, 'uid-1');
  const others = [aMachine({ uid: 'uid-2' }), aMachine({ labels: {} })];
  expect([aMachine(), ...others].map((machine) => failuresOf(cache, machine))).toEqual([3, 0, 0]);
  rememberServed(cache, aMachine(), true);
  expect(failuresOf(cache, aMachine())).toBe(0);
});
