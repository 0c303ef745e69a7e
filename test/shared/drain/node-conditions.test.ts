import { describe, expect, test } from 'vitest';
import { type DrainConditions, withDrainConditions } from '../../../shared/drain/node.ts';
import type { Condition } from '../../../shared/kubernetes/objects.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const ready: Condition = { type: 'Ready', status: 'True', reason: 'KubeletReady' };

const toldAs = (stage: DrainConditions['stage'], machine = 'fleet/worker-1'): DrainConditions => ({
  stage,
  reason: 'PhaseoutTold',
  message: `Machine ${machine}: as it is`,
});

const of = (type: string, status: Condition['status'], more: Partial<Condition> = {}): Condition => ({
  type,
  status,
  lastHeartbeatTime: '2026-01-01T00:00:00Z',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'PhaseoutDraining',
  message: 'Machine fleet/worker-1: its Node is being drained',
  ...more,
});

const inProgress = [of('DrainInProgress', 'True'), of('Drained', 'False')];
const kubectl = { reason: 'AdminRequested' };

const written = (before: Condition[] | undefined, told: DrainConditions) =>
  withDrainConditions(
    { metadata: { name: 'node-1' }, ...(before && { status: { conditions: before } }) },
    told,
    now,
  );

const statuses = (conditions: Condition[] | undefined) =>
  conditions?.map(({ type, status, lastTransitionTime }) => [
    type,
    status,
    lastTransitionTime?.slice(11, 19),
  ]);

describe('the conditions of a Node', () => {
  test('tell of a drain beside those that are there', () => {
    expect(written([ready], toldAs('in-progress'))).toEqual([
      ready,
      {
        type: 'DrainInProgress',
        status: 'True',
        lastHeartbeatTime: '2026-01-01T00:10:00Z',
        lastTransitionTime: '2026-01-01T00:10:00Z',
        reason: 'PhaseoutTold',
        message: 'Machine fleet/worker-1: as it is',
      },
      {
        type: 'Drained',
        status: 'False',
        lastHeartbeatTime: '2026-01-01T00:10:00Z',
        lastTransitionTime: '2026-01-01T00:10:00Z',
        reason: 'PhaseoutTold',
        message: 'Machine fleet/worker-1: as it is',
      },
    ]);
  });

  test.each<[string, Condition[] | undefined, DrainConditions['stage'], unknown]>([
    [
      'a Node without any',
      undefined,
      'in-progress',
      [
        ['DrainInProgress', 'True', '00:10:00'],
        ['Drained', 'False', '00:10:00'],
      ],
    ],
    [
      'a drain that has ended',
      inProgress,
      'drained',
      [
        ['DrainInProgress', 'False', '00:10:00'],
        ['Drained', 'True', '00:10:00'],
      ],
    ],
    [
      'a drain that was given up: what was so before keeps its time',
      inProgress,
      'not-drained',
      [
        ['DrainInProgress', 'False', '00:10:00'],
        ['Drained', 'False', '00:00:00'],
      ],
    ],
    [
      'a drain that begins once more',
      [of('DrainInProgress', 'False'), of('Drained', 'True')],
      'in-progress',
      [
        ['DrainInProgress', 'True', '00:10:00'],
        ['Drained', 'False', '00:10:00'],
      ],
    ],
  ])('tell of %s', (_, before, stage, expected) => {
    expect(statuses(written(before, toldAs(stage)))).toEqual(expected);
  });

  test.each<[string, Condition[], DrainConditions]>([
    ['they say so already', inProgress, toldAs('in-progress')],
    [
      'one is of somebody else',
      [of('DrainInProgress', 'True', kubectl), of('Drained', 'False')],
      toldAs('drained'),
    ],
    ['somebody else drained it before', [of('Drained', 'False', kubectl)], toldAs('in-progress')],
    ['one has no reason', [{ type: 'Drained', status: 'True' }], toldAs('in-progress')],
    ['no drain has begun that could be given up', [ready], toldAs('not-drained')],
    ['the drain is done', [of('DrainInProgress', 'False'), of('Drained', 'True')], toldAs('not-drained')],
    ['the drain is for another Machine', inProgress, toldAs('not-drained', 'fleet/worker-2')],
  ])('stay as they are where %s', (_, before, told) => {
    expect(written(before, told)).toBeUndefined();
  });
});
