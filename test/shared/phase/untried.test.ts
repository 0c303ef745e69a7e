import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { asTried, isPutOff, isPutOffForLong, isUntriedForLong } from '../../../shared/phase/untried.ts';
import { aCheckpoint, after, aMachine, timeAfter } from '../dialects/capi/machines.ts';
import type { Attempt } from '../../../shared/phase/attempt.ts';

interface Given {
  checkpoint?: Partial<Checkpoint>;
  /** Limit of the drain, in seconds. */
  limit?: number;
  status?: Record<string, unknown>;
}

/** In the drain, which was reached a second after the deletion began. */
const standing = ({ checkpoint, limit, status = {} }: Given = {}) => ({
  machine: aMachine({
    ...(limit !== undefined && { spec: { deletion: { nodeDrainTimeoutSeconds: limit } } }),
    status,
  }),
  dialect: clusterApi,
  checkpoint: aCheckpoint({ since: timeAfter(1), ...checkpoint }),
});

const draining = { type: 'DrainingSucceeded', status: 'False', lastTransitionTime: timeAfter(1) };
const done = { as: 'done', since: timeAfter(0) } as const;

describe('a phase nobody has tried', () => {
  test.each<[string, Given, seconds: number, boolean]>([
    ['has not lost anything yet', { limit: 9 }, 1.999, false],
    ['has waited for a second', { limit: 9 }, 2, true],
    ['has waited for less than a tenth of its limit', { limit: 1_800 }, 180.999, false],
    ['has waited for a tenth of its limit', { limit: 1_800 }, 181, true],
    ['has no limit, and has waited for less than a minute', {}, 60.999, false],
    ['has no limit, and has waited for a minute', { limit: 0 }, 61, true],
    ['was reached in the future', { limit: 9 }, 0.5, false],
  ])('%s', (_what, given, seconds, isSo) => {
    expect(isUntriedForLong(standing(given), after(seconds))).toBe(isSo);
  });
});

test('the wait for volumes has a limit of its own', () => {
  const limits = { nodeDrainTimeoutSeconds: 9, nodeVolumeDetachTimeoutSeconds: 1_800 };
  const waiting = {
    ...standing({ checkpoint: { phase: 'volume-detach' } }),
    machine: aMachine({ spec: { deletion: limits }, status: {} }),
  };
  expect(isUntriedForLong(waiting, after(180.999))).toBe(false);
  expect(isUntriedForLong(waiting, after(181))).toBe(true);
});

const inNodePhase = (limit: number, status: Record<string, unknown> = {}) => ({
  ...standing({ checkpoint: { phase: 'node' } }),
  machine: aMachine({ spec: { deletion: { nodeDeletionTimeoutSeconds: limit } }, status }),
});
const deleting = (reason: string) => ({ conditions: [{ type: 'Deleting', status: 'True', reason }] });

describe('the deletion of the Node', () => {
  test.each<[string, ReturnType<typeof inNodePhase>, seconds: number, boolean]>([
    ['has not lost anything yet', inNodePhase(10), 1.999, false],
    ['has waited for a tenth of its limit', inNodePhase(10), 2, true],
    ['has no limit, and has waited for less than a minute', inNodePhase(0), 60.999, false],
    ['has no limit, and has waited for a minute', inNodePhase(0), 61, true],
    ['was held, as the Machine says', inNodePhase(10, deleting('WaitingForPreTerminateHook')), 2, true],
    ['was tried, as the Machine says', inNodePhase(10, deleting('DeletingNode')), 3_600, false],
    ['was over before anybody tried', inNodePhase(-1), 3_600, false],
  ])('%s', (_what, before, seconds, isSo) => {
    expect(isUntriedForLong(before, after(seconds))).toBe(isSo);
  });
});

test.each<[string, Given]>([
  ['its start stands in the status', { status: { deletion: { nodeDrainStartTime: timeAfter(2) } } }],
  ['a condition tells of it', { status: { deprecated: { v1beta1: { conditions: [draining] } } } }],
  ['a condition of v1beta1 tells of it', { status: { conditions: [draining] } }],
  [
    'the deletion has gone back to it',
    { checkpoint: { passed: { 'volume-detach': { ...done, since: timeAfter(1) } } } },
  ],
  ['its time has begun anew before', { checkpoint: { reached: timeAfter(0) } }],
  ['it has no time limit that counts from that', { checkpoint: { phase: 'infrastructure' } }],
])('a phase was tried where %s', (_where, given) => {
  expect(isUntriedForLong(standing(given), after(3_600))).toBe(false);
});

test.each<[string, Given]>([
  ['an earlier phase was passed', { checkpoint: { passed: { 'pre-drain': done } } }],
  [
    'the start of another phase stands in the status',
    { status: { deletion: { waitForPreDrainHookStartTime: timeAfter(1) } } },
  ],
])('a phase was not tried because %s', (_why, given) => {
  expect(isUntriedForLong(standing(given), after(3_600))).toBe(true);
});

test.each([openShift, originalApi])('other Machine APIs have no limits: $name', (dialect) => {
  expect(isUntriedForLong({ ...standing(), dialect }, after(3_600))).toBe(false);
});

/** Its time has begun anew before, and whether it is to be tried was not to be known. */
const putOff = ({ status = {}, ...given }: Given = {}) =>
  standing({
    ...given,
    checkpoint: { reached: timeAfter(0), ...given.checkpoint },
    status: { ...deleting('DrainingNode'), ...status },
  });

describe('a phase that was put off', () => {
  test.each<[string, Given, seconds: number, boolean]>([
    ['has lost nothing yet', { limit: 100 }, 10.999, false],
    ['has lost a tenth of its limit', { limit: 100 }, 11, true],
    ['has no limit, and has lost less than a minute', {}, 60.999, false],
    ['has no limit, and has lost a minute', {}, 61, true],
    ['has begun since', { status: { deletion: { nodeDrainStartTime: timeAfter(2) } } }, 3_600, false],
    ['is another one', { status: deleting('WaitingForVolumeDetach') }, 3_600, false],
    ['was held', { status: deleting('WaitingForPreDrainHook') }, 3_600, false],
    [
      'is gone back to',
      { checkpoint: { passed: { 'volume-detach': { ...done, since: timeAfter(1) } } } },
      3_600,
      false,
    ],
  ])('%s', (_what, given, seconds, isSo) => {
    expect(isPutOffForLong(putOff(given), after(seconds))).toBe(isSo);
  });

  const begun = { deletion: { nodeDrainStartTime: timeAfter(2) } };

  test.each<[string, Attempt | undefined, Given['status'], boolean]>([
    ['it was told', undefined, deleting('DrainingNode'), true],
    ['this instance could not tell, and nothing is told', 'undecided', {}, true],
    ['this instance could not tell, and somebody has begun', 'undecided', begun, false],
    ['it was told, and this instance has tried it since', 'tried', deleting('DrainingNode'), false],
    ['nothing is told', undefined, {}, false],
  ])('is so, or not, where %s', (_where, attempt, status = {}, isSo) => {
    expect(isPutOff(standing({ status }), attempt)).toBe(isSo);
    expect(isPutOffForLong(standing({ status }), after(300), attempt)).toBe(isSo);
  });

  test('is not the deletion of the Node, of which nothing is told', () => {
    const { machine } = putOff({ checkpoint: { phase: 'node' } });
    expect(clusterApi.isPutOff({ ...machine, raw: { ...machine.raw, status: {} } }, 'node')).toBe(false);
  });

  test('has its whole time in the next try', () => {
    const { checkpoint } = putOff();
    const since = '2026-01-01T12:05:00.000Z';
    expect(asTried(putOff(), after(300))).toEqual({ ...checkpoint, since });
  });

  test('is the wait for volumes, too', () => {
    const waiting = {
      checkpoint: { phase: 'volume-detach' },
      status: deleting('WaitingForVolumeDetach'),
    } as const;
    expect(isPutOffForLong(putOff(waiting), after(300))).toBe(true);
  });

  test.each([openShift, originalApi])('is none of $name', (dialect) => {
    expect(isPutOffForLong({ ...putOff(), dialect }, after(3_600))).toBe(false);
  });
});

describe('the first try', () => {
  test('begins now, and that is remembered', () => {
    const before = standing({ limit: 9 });
    const checkpoint = asTried(before, after(60));
    expect(checkpoint).toEqual({
      ...before.checkpoint,
      since: '2026-01-01T12:01:00.000Z',
      reached: timeAfter(1),
    });
    expect(asTried({ ...before, checkpoint }, after(3_600))).toBe(checkpoint);
  });

  test('that comes in time changes nothing', () => {
    const before = standing({ limit: 9 });
    expect(asTried(before, after(1.5))).toBe(before.checkpoint);
  });
});
