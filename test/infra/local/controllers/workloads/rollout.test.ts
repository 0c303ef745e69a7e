import { describe, expect, it } from 'vitest';
import type { Workload } from '../../../../../infra/local/controllers/machinery/objects.ts';
import {
  pausedStep,
  recreatingStep,
  rollingStep,
  type Sized,
  type Wanted,
  wantedOf,
} from '../../../../../infra/local/controllers/workloads/rollout.ts';

const rolling = (maxSurge?: number | string, maxUnavailable?: number | string) => ({
  type: 'RollingUpdate',
  rollingUpdate: {
    ...(maxSurge !== undefined && { maxSurge }),
    ...(maxUnavailable !== undefined && { maxUnavailable }),
  },
});

describe('a rollout may go above and below what is wanted', () => {
  it.each<[string, NonNullable<Workload['spec']>, Wanted]>([
    ['by a quarter, rounded up and down', { replicas: 3 }, { replicas: 3, maxSurge: 1, maxUnavailable: 0 }],
    ['by a quarter of four', { replicas: 4 }, { replicas: 4, maxSurge: 1, maxUnavailable: 1 }],
    ['of one where nothing says how many', {}, { replicas: 1, maxSurge: 1, maxUnavailable: 0 }],
    ['by numbers', { replicas: 2, strategy: rolling(3, 1) }, { replicas: 2, maxSurge: 3, maxUnavailable: 1 }],
    [
      'by one below where both are none',
      { replicas: 2, strategy: rolling(0, '25%') },
      { replicas: 2, maxSurge: 0, maxUnavailable: 1 },
    ],
    [
      'by no more below than there are',
      { replicas: 1, strategy: rolling(0, 5) },
      { replicas: 1, maxSurge: 0, maxUnavailable: 1 },
    ],
    [
      'not where it is recreated',
      { replicas: 2, strategy: { type: 'Recreate' } },
      { replicas: 2, maxSurge: 0, maxUnavailable: 0 },
    ],
  ])('%s', (_what, spec, wanted) => {
    expect(wantedOf({ metadata: { name: 'web' }, spec })).toEqual(wanted);
  });
});

const set = (replicas: number, available = replicas): Sized => ({ replicas, available });
const surging: Wanted = { replicas: 1, maxSurge: 1, maxUnavailable: 0 };

describe('a rolling update', () => {
  it.each<[string, Wanted, Sized, Sized[], number, number[]]>([
    ['brings the new Pod up first', surging, set(0), [set(1)], 1, [1]],
    ['keeps the old one until the new one is available', surging, set(1, 0), [set(1)], 1, [1]],
    ['lets the old one go then', surging, set(1), [set(1)], 1, [0]],
    ['lets an old one go that is not available', { ...surging, replicas: 2 }, set(1), [set(2, 1)], 1, [1]],
    [
      'takes one first where it may not go above',
      { replicas: 2, maxSurge: 0, maxUnavailable: 1 },
      set(0),
      [set(2)],
      0,
      [1],
    ],
    ['lets the oldest set go first', { ...surging, replicas: 2 }, set(1), [set(1), set(1)], 1, [0, 1]],
    ['shrinks the new set where less is wanted', surging, set(3), [], 1, []],
    ['grows the new set where more is wanted', { ...surging, replicas: 5 }, set(2), [], 5, []],
  ])('%s', (_what, wanted, newest, old, newSize, oldSizes) => {
    expect(rollingStep(wanted, newest, old)).toEqual({ newest: newSize, old: oldSizes });
  });
});

it.each<[string, Sized[], boolean, number, number[]]>([
  ['old Pods are there', [set(2)], true, 0, [0]],
  ['old Pods are still stopping', [set(0)], true, 0, [0]],
  ['none is left', [set(0)], false, 2, [0]],
])('a recreation, while %s', (_what, old, isOldRunning, newest, oldSizes) => {
  const wanted = { replicas: 2, maxSurge: 0, maxUnavailable: 0 };
  expect(recreatingStep(wanted, { newest: set(0), old, isOldRunning })).toEqual({ newest, old: oldSizes });
});

it.each<[string, Sized, Sized[], number, number[]]>([
  ['scales its only set with Pods', set(0), [set(1)], 0, [3]],
  ['scales its newest where none has Pods', set(0), [set(0)], 3, [0]],
  ['keeps several as they are', set(1), [set(1)], 1, [1]],
])('a paused one %s', (_what, newest, old, newSize, oldSizes) => {
  const wanted = { replicas: 3, maxSurge: 1, maxUnavailable: 0 };
  expect(pausedStep(wanted, newest, old)).toEqual({ newest: newSize, old: oldSizes });
});
