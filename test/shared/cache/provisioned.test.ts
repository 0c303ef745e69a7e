import { expect, test } from 'vitest';
import { Provisioned } from '../../../shared/cache/provisioned.ts';
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
    const inStep = new Provisioned(clock);
    inStep.remember(aMachine(), true);
    clock.setBack(setBack);
    await clock.advance(milliseconds);
    expect([inStep.has(aMachine()), inStep.isServed(aMachine())]).toEqual([is, is]);
    expect(inStep.has(aMachine({ uid: 'uid-2' }))).toBe(false);
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
  const inStep = new Provisioned(manualClock());
  inStep.remember(aMachine(), true);
  expect(inStep.has(machine)).toBe(isInStep);
});

test('a Machine of which there is soon more to report is served, but not in step', () => {
  const inStep = new Provisioned(manualClock());
  inStep.remember(aMachine(), false);
  expect([inStep.isServed(aMachine()), inStep.has(aMachine())]).toEqual([true, false]);
});

test.each<[when: string, milliseconds: number, isLeft: boolean]>([
  ['before that time is over', 42_999, true],
  ['once it is over', 43_000, false],
])(
  'a Machine whose provider is to be left alone is left alone, or not, %s',
  async (_when, milliseconds, is) => {
    const clock = manualClock();
    const inStep = new Provisioned(clock);
    inStep.leave(aMachine(), 43_000);
    await clock.advance(milliseconds);
    expect([inStep.has(aMachine()), inStep.isServed(aMachine())]).toEqual([is, is]);
    expect(inStep.has(aMachine({ labels: {} }))).toBe(false);
  },
);

test('what is tried anew is neither', () => {
  const inStep = new Provisioned(manualClock());
  inStep.remember(aMachine(), true);
  inStep.forget('uid-2');
  expect(inStep.has(aMachine())).toBe(true);
  inStep.forget('uid-1');
  expect([inStep.isServed(aMachine()), inStep.has(aMachine())]).toEqual([false, false]);
});

test('of what a Machine asks for it is known how often it could not be done, until it is', () => {
  const inStep = new Provisioned(manualClock());
  expect(inStep.failuresOf(aMachine())).toBe(0);
  inStep.rememberFailures(aMachine(), 3);
  inStep.forget('uid-1');
  const others = [aMachine({ uid: 'uid-2' }), aMachine({ labels: {} })];
  expect([aMachine(), ...others].map((machine) => inStep.failuresOf(machine))).toEqual([3, 0, 0]);
  inStep.remember(aMachine(), true);
  expect(inStep.failuresOf(aMachine())).toBe(0);
});
