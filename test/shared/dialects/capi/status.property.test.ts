import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import type { Observed } from '../../../../shared/dialects/gate.ts';
import type { StatusInput } from '../../../../shared/dialects/status-input.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { type Phase, phases } from '../../../../shared/machine/phase.ts';
import {
  aCheckpoint,
  after,
  aMachine,
  aRawMachine,
  aRawV1Beta1Machine,
  aStatusInput,
  timeAfter,
} from '../../../builders/cluster-api.ts';

const status = fc.constantFrom('True', 'False', 'Unknown');
const text = fc.constantFrom('', 'a', '* a: b\nc', 'x'.repeat(33_000));
const aReady = fc.record(
  { type: fc.constant('Ready'), status, reason: text, message: text, severity: text },
  { requiredKeys: ['type', 'status'] },
);

const anObject = fc
  .record({ isTerminating: fc.boolean(), done: fc.boolean(), conditions: fc.array(aReady, { maxLength: 1 }) })
  .map(
    ({ isTerminating, done, conditions }): KubeObject => ({
      kind: 'Server',
      metadata: { name: 'm-1', ...(isTerminating ? { deletionTimestamp: timeAfter(1) } : {}) },
      status: { ready: done, ...(conditions.length === 0 ? {} : { conditions }) },
    }),
  );

const aSighting: fc.Arbitrary<Observed> = fc.oneof(
  fc.constantFrom<Observed>({ kind: 'unseen' }, { kind: 'absent' }, { kind: 'unknown', why: 'w' }),
  anObject.map((object): Observed => ({ kind: 'present', object })),
);

const aReport = fc.option(
  fc.record(
    {
      reason: fc.constantFrom(
        'Deleting' as const,
        'InternalError' as const,
        'WaitingForPreDrainHook' as const,
        'DrainingNode' as const,
        'WaitingForVolumeDetach' as const,
        'WaitingForPreTerminateHook' as const,
        'WaitingForInfrastructureDeletion' as const,
        'DeletingNode' as const,
        'DeletionCompleted' as const,
      ),
      message: text,
      error: text,
    },
    { requiredKeys: ['reason', 'message'] },
  ),
  { nil: undefined },
);

const aPassing = fc.constantFrom(
  'done' as const,
  'excluded' as const,
  'timed-out' as const,
  'not-applicable' as const,
);
const somePassed = fc
  .array(fc.tuple(fc.constantFrom(...phases), aPassing))
  .map((list) => Object.fromEntries(list.map(([phase, as]) => [phase, { as, since: timeAfter(2) }])));

const conditionType = fc.constantFrom(
  'Ready',
  'Deleting',
  'NodeHealthy',
  'DrainingSucceeded',
  'Updating',
  'Other',
);
const someConditions = fc.uniqueArray(
  fc.record({
    type: conditionType,
    status,
    reason: text,
    message: text,
    lastTransitionTime: fc.constant(timeAfter(-50)),
  }),
  { selector: ({ type }) => type },
);
const aBefore = fc.record({ conditions: someConditions, phase: fc.constantFrom('Running', 'Deleting') });

const anInput = fc.record({
  raw: fc.tuple(fc.boolean(), aBefore, fc.boolean()).map(([isOld, before, isExcluded]) => {
    const annotations: Record<string, string> = isExcluded
      ? { 'machine.cluster.x-k8s.io/exclude-node-draining': '' }
      : {};
    return (isOld ? aRawV1Beta1Machine : aRawMachine)({ status: before, annotations });
  }),
  phase: fc.constantFrom<Phase>(...phases),
  passed: somePassed,
  report: aReport,
  paused: fc.constantFrom<string[]>([], ['why']),
  infrastructure: aSighting,
  bootstrap: aSighting,
  node: aSighting,
});

const inputOf = (
  { raw, phase, passed, ...seen }: typeof anInput extends fc.Arbitrary<infer T> ? T : never,
  now: number,
) =>
  aStatusInput({ ...seen, machine: clusterApi.read(raw), checkpoint: aCheckpoint({ phase, passed }), now });

const withStatus = (input: StatusInput, written: unknown, now: number): StatusInput => ({
  ...input,
  machine: clusterApi.read({ ...input.machine.raw, status: written }),
  now,
});

describe('a status', () => {
  test('that was written is not written again later', () => {
    const later = fc.integer({ min: 0, max: 800 });
    fc.assert(
      fc.property(anInput, later, (drawn, seconds) => {
        const input = inputOf(drawn, after(10));
        const written = clusterApi.status(input);
        expect(clusterApi.status(withStatus(input, written, after(10 + seconds)))).toEqual(written);
      }),
    );
  });

  test('survives the way over the wire', () => {
    fc.assert(
      fc.property(anInput, (drawn) => {
        const written = clusterApi.status(inputOf(drawn, after(10)));
        expect(JSON.parse(JSON.stringify(written))).toEqual(written);
      }),
    );
  });

  test('leaves the Machine it was computed from as it is', () => {
    fc.assert(
      fc.property(anInput, (drawn) => {
        const before = structuredClone(drawn.raw);
        clusterApi.status(inputOf(drawn, after(10)));
        expect(drawn.raw).toEqual(before);
      }),
    );
  });
});

test('only the passing of time changes what Ready says of a deletion', () => {
  const input = aStatusInput({ machine: aMachine(), now: after(10) });
  const written = clusterApi.status(input);
  expect(clusterApi.status(withStatus(input, written, after(15 * 60)))).toEqual(written);
  expect(clusterApi.status(withStatus(input, written, after(15 * 60 + 1)))).not.toEqual(written);
});
