import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import type { GatedStep, Observed } from '../../../../shared/dialects/gate.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { after, aMachine, timeAfter } from '../../../builders/cluster-api.ts';

const present: Observed = { kind: 'present', object: { metadata: { name: 'm-1' } } };
const terminating: Observed = {
  kind: 'present',
  object: { metadata: { name: 'm-1', deletionTimestamp: timeAfter(0) } },
};
const unknown: Observed = { kind: 'unknown', why: 'timed out' };

const steps: [step: GatedStep, exclusion: string, timeout: string][] = [
  ['drain', 'machine.cluster.x-k8s.io/exclude-node-draining', 'nodeDrainTimeoutSeconds'],
  [
    'volume-detach',
    'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
    'nodeVolumeDetachTimeoutSeconds',
  ],
];

const waitedForHook = { deletion: { waitForPreTerminateHookStartTime: timeAfter(5) } };

describe.each(steps)('the step %s', (step, exclusion, timeout) => {
  const gate = (machine = aMachine(), infrastructure: Observed = present, now = after(60)) =>
    clusterApi.gate(step, machine, { infrastructure, startedAt: after(0), now });
  const limitedTo = (seconds: number) => aMachine({ spec: { deletion: { [timeout]: seconds } } });

  test.each([[''], ['false'], ['true']])('is excluded by its annotation, even %j', (value) => {
    const annotations = { [exclusion]: value };
    expect(gate(aMachine({ annotations, status: waitedForHook }), unknown)).toEqual({
      allowed: false,
      passing: 'excluded',
      why: `Machine has the ${exclusion} annotation`,
    });
  });

  test('is not excluded by the annotation of the other', () => {
    const [, other = ''] = steps.find(([name]) => name !== step) ?? [];
    expect(gate(aMachine({ annotations: { [other]: '' } }))).toEqual({ allowed: true });
  });

  test('does not come again once pre-terminate hooks were waited for', () => {
    expect(gate(aMachine({ status: waitedForHook }), unknown)).toEqual({
      allowed: false,
      passing: 'not-applicable',
      why: 'pre-terminate hooks have been waited for',
    });
  });

  test.each<[string, Observed]>([
    ['the infrastructure object does not exist', { kind: 'absent' }],
    ['the infrastructure object is being deleted', terminating],
  ])('does not apply: %s', (why, infrastructure) => {
    expect(gate(limitedTo(1), infrastructure)).toEqual({ allowed: false, passing: 'not-applicable', why });
  });

  test('is not decided while the infrastructure object is unknown', () => {
    expect(() => gate(aMachine(), unknown)).toThrow(Unavailable);
    expect(() => gate(aMachine(), unknown)).toThrow('the infrastructure object could not be read: timed out');
  });

  test('needs no sight of the infrastructure object when nobody asked for it', () => {
    expect(gate(aMachine(), { kind: 'unseen' })).toEqual({ allowed: true });
  });

  test.each([
    ['no limit', aMachine(), 1e9, true],
    ['a limit of 0', limitedTo(0), 1e9, true],
    ['a negative limit', limitedTo(-5), 1e9, true],
    ['a limit just not reached', limitedTo(60), 59.999, true],
    ['a limit just reached', limitedTo(60), 60, false],
  ])('with %s', (_what, machine, seconds, allowed) => {
    expect(gate(machine, present, after(seconds))).toMatchObject(
      allowed ? { allowed } : { allowed, passing: 'timed-out', why: 'its timeout of 60s is over' },
    );
  });
});

describe('the time to delete the Node', () => {
  test.each([
    ['unset', undefined, 1e9, false],
    ['0', 0, 1e9, false],
    ['just not reached', 10, 9.999, false],
    ['just reached', 10, 10, true],
    ['negative', -1, 0, true],
    ['negative, and the clock was set back since', -1, -5, true],
  ])('is judged when %s', (_what, nodeDeletionTimeoutSeconds, seconds, isOver) => {
    const deletion = nodeDeletionTimeoutSeconds === undefined ? {} : { nodeDeletionTimeoutSeconds };
    const machine = aMachine({ spec: { deletion } });
    expect(clusterApi.isNodeDeletionOver(machine, after(100), after(100 + seconds))).toBe(isOver);
  });
});
