import { describe, expect, test } from 'vitest';
import { node } from '../../../functions/node.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  deletingCondition,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

const handedOn = aCheckpoint({
  phase: 'node',
  since: timeAfter(3),
  node: 'node-uid-1',
  passed: { drain: { as: 'done', since: timeAfter(1) } },
});

/** Its Node phase was handed on three seconds after the deletion began. */
const aNodePhase = (limit: number, annotations: Record<string, string> = {}): World =>
  aWorld(
    aRawMachine({
      annotations: atCheckpoint(handedOn, annotations),
      spec: { deletion: { nodeDeletionTimeoutSeconds: limit } },
    }),
  );

/** So many in all. */
function failRequests({ workload }: World, times: number): void {
  let left = times;
  const fail = (): void => {
    left -= 1;
    if (left >= 0) throw new Unavailable('nodes/node-1: connection refused');
  };
  workload.on('get nodes/node-1', fail, 99);
  workload.on('delete nodes/node-1', fail, 99);
}

const unanswered = (): never => {
  throw new Unavailable('list nodes: no answer');
};

/** The same of a Machine that does not name it, which cannot be looked for so many times. */
function anUnnamed(limit: number, failures: number): World {
  const world = aNodePhase(limit);
  world.management.change(machinePath, { status: { nodeRef: null } });
  world.workload.on('list nodes', unanswered, failures);
  return world;
}

async function lookAt(world: World, seconds: number): Promise<void> {
  world.time.now = after(seconds);
  await reconcilePhase(world.env, node, aCommand({ phase: 'node' }));
}

const saves = ({ log }: World) => log.filter((line) => line === `patch ${machinePath}`).length;
const isNodeLeft = ({ workload }: World) => workload.at('nodes/node-1') !== undefined;

describe('the Node is not left behind for one failed request', () => {
  test('where the command was lost, and the first try comes late', async () => {
    const world = aNodePhase(10);
    failRequests(world, 1);
    await lookAt(world, 23);
    expect(deletingCondition(world)).toMatchObject({ reason: 'DeletingNode' });
    expect(savedCheckpoint(world)).toEqual({
      ...handedOn,
      since: '2026-01-01T12:00:23.000Z',
      reached: timeAfter(3),
    });
    await lookAt(world, 25);
    expect(isNodeLeft(world)).toBe(false);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'finalize', passed: { node: { as: 'done' } } });
  });

  test.each([
    ['a pause', 'cluster.x-k8s.io/paused'],
    ['a late hook', 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/late'],
  ])('where %s has held it', async (_what, annotation) => {
    const world = aNodePhase(10, { [annotation]: '' });
    await lookAt(world, 4);
    expect(savedCheckpoint(world)).toEqual(handedOn);
    world.management.change(machinePath, { metadata: { annotations: { [annotation]: null } } });
    failRequests(world, 1);
    await lookAt(world, 600);
    await lookAt(world, 602);
    expect(isNodeLeft(world)).toBe(false);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'done' } } });
  });

  test('where the first attempt has taken longer than the limit', async () => {
    const world = aNodePhase(10);
    const { workload, time } = world;
    workload.on('delete nodes/node-1', () => {
      time.now += 30_000;
      throw new Unavailable('DELETE nodes/node-1: no answer');
    });
    await lookAt(world, 3.5);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'node', since: '2026-01-01T12:00:33.500Z' });
    await lookAt(world, 43);
    expect(isNodeLeft(world)).toBe(false);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'done' } } });
  });
});

describe('the Node is left behind', () => {
  test('when its limit is over since the first attempt that failed', async () => {
    const world = aNodePhase(10);
    failRequests(world, 99);
    await lookAt(world, 600);
    await lookAt(world, 609.999);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'node', since: '2026-01-01T12:10:00.000Z' });
    await lookAt(world, 610);
    expect(isNodeLeft(world)).toBe(true);
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'finalize',
      passed: { node: { as: 'timed-out' } },
    });
  });

  test('also where no status can be written', async () => {
    const world = aNodePhase(10);
    failRequests(world, 99);
    world.management.on(
      `patch ${machinePath}/status`,
      () => ({ kind: 'refused', code: 403, message: 'no' }),
      99,
    );
    await lookAt(world, 4);
    await lookAt(world, 14);
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'finalize',
      passed: { node: { as: 'timed-out' } },
    });
  });

  test('where the Machine does not name it, and it could never be searched for', async () => {
    const world = anUnnamed(10, 99);
    await lookAt(world, 600);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'node', since: '2026-01-01T12:10:00.000Z' });
    await lookAt(world, 611);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'finalize' });
  });

  test('at once where the limit is negative', async () => {
    const world = aNodePhase(-1);
    failRequests(world, 1);
    await lookAt(world, 600);
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'finalize',
      passed: { node: { as: 'timed-out' } },
    });
  });
});

test('the start is written once', async () => {
  const world = aNodePhase(30);
  failRequests(world, 3);
  for (const seconds of [4, 10, 16]) await lookAt(world, seconds);
  expect(saves(world)).toBe(1);
  expect(savedCheckpoint(world)).toMatchObject({ since: '2026-01-01T12:00:04.000Z', reached: timeAfter(3) });
});

test('a first attempt that succeeds writes no start', async () => {
  const world = aNodePhase(10);
  await lookAt(world, 3.5);
  expect(saves(world)).toBe(1);
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'finalize', passed: { node: { as: 'done' } } });
});

test('a Node without a time limit has no start to write', async () => {
  const world = aNodePhase(0);
  failRequests(world, 1);
  await lookAt(world, 4);
  expect(saves(world)).toBe(0);
});
