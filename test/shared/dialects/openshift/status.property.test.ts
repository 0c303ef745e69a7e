import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { conditionsFrom } from '../../../../shared/dialects/conditions.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import type { StatusInput } from '../../../../shared/dialects/status-input.ts';
import { after, aStatusInput, timeAfter } from '../../../builders/openshift.ts';

const text = fc.constantFrom('', 'a', '* a: b\nc', 'x'.repeat(11_000));
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'EtcdQuorumOperator'));
const authority = fc.constantFrom(undefined, '', 'MachineAPI', 'ClusterAPI', 'Migrating');
const passing = fc.constantFrom(undefined, 'done' as const, 'excluded' as const, 'not-applicable' as const);

const condition = fc.record(
  {
    type: fc.constantFrom('Drainable', 'Drained', 'Terminable', 'Paused', 'phaseout.dev/Valid', 'Other'),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    reason: text,
    message: text,
    severity: fc.constantFrom('Info', 'Warning'),
    lastTransitionTime: fc.constant(timeAfter(-50)),
  },
  { requiredKeys: ['type', 'status', 'lastTransitionTime'] },
);

const status = fc.record(
  {
    phase: fc.constantFrom('Running', 'Failed', 'Deleting'),
    errorReason: fc.constantFrom('CreateError', null),
    errorMessage: text,
    lastUpdated: fc.constant(timeAfter(-50)),
    authoritativeAPI: authority,
    conditions: fc.uniqueArray(condition, { selector: ({ type }) => type }),
  },
  { requiredKeys: [] },
);

const report = fc.option(
  fc.record(
    {
      reason: fc.constantFrom(
        'DrainingNode',
        'WaitingForPreDrainHook',
        'WaitingForInfrastructureDeletion',
        'InternalError',
      ),
      message: text,
      error: text,
      isHeldUp: fc.constant(true),
    },
    { requiredKeys: ['reason', 'message'] },
  ),
  { nil: undefined },
);

const anInput = fc
  .record({
    status,
    report,
    preDrain: names,
    preTerminate: names,
    spec: fc.record({ authoritativeAPI: authority }),
    isValid: fc.boolean(),
    phase: fc.constantFrom(...openShift.phases),
    as: passing,
  })
  .map(({ isValid, phase, as, ...machine }) => {
    const passed = as === undefined ? {} : { drain: { as, since: timeAfter(1) } };
    const labels = isValid ? {} : { metadata: { labels: {} } };
    return aStatusInput({ ...machine, ...labels, checkpoint: { phase, passed } });
  });

/** What the API keeps: null takes a field away. */
const kept = (written: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null && value !== undefined));

const later = (input: StatusInput, written: unknown, seconds: number): StatusInput => {
  const machine = openShift.read({ ...input.machine.raw, status: written });
  return { ...input, machine, now: after(10 + seconds) };
};

test('a status that was written is not written again later', () => {
  fc.assert(
    fc.property(anInput, fc.integer({ min: 0, max: 5_000 }), (input, seconds) => {
      const written = kept(openShift.status(input));
      expect(kept(openShift.status(later(input, written, seconds)))).toEqual(written);
    }),
  );
});

test('a status says each thing once', () => {
  fc.assert(
    fc.property(anInput, (input) => {
      const types = conditionsFrom(openShift.status(input)['conditions']).map(({ type }) => type);
      expect(new Set(types).size).toBe(types.length);
    }),
  );
});

test('a status survives the way over the wire, and leaves its Machine as it is', () => {
  fc.assert(
    fc.property(anInput, (input) => {
      const before = structuredClone(input.machine.raw);
      const written = openShift.status(input);
      expect(kept(JSON.parse(JSON.stringify(written)))).toEqual(kept(written));
      expect(input.machine.raw).toEqual(before);
    }),
  );
});
