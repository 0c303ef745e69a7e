import { describe, expect, test } from 'vitest';
import { node } from '../../../functions/node.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  deletingCondition,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../dialects/capi/machines.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';

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

  test('where the first try, that came in time, has taken longer than the limit', async () => {
    const world = aNodePhase(10);
    const { workload, time } = world;
    workload.on('delete nodes/node-1', () => {
      time.now += 30_000;
      throw new Unavailable('DELETE nodes/node-1: no answer');
    });
    await lookAt(world, 3.5);
    expect(isNodeLeft(world)).toBe(false);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'done' } } });
  });
});

describe('the Node of a Machine that does not name it', () => {
  test('is not left behind for one list that failed', async () => {
    const world = anUnnamed(10, 1);
    await lookAt(world, 3.5);
    await lookAt(world, 8.5);
    expect(isNodeLeft(world)).toBe(false);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'done' } } });
  });

  test('is left behind once it has been looked for for its time', async () => {
    const world = anUnnamed(10, 9);
    await lookAt(world, 3.5);
    await lookAt(world, 8.5);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'node' });
    await lookAt(world, 13.5);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'finalize' });
  });
});

describe('the Node is left behind', () => {
  test('once it has been tried for its time', async () => {
    const world = aNodePhase(10);
    failRequests(world, 9);
    await lookAt(world, 23);
    await lookAt(world, 32);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'node' });
    await lookAt(world, 33);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'timed-out' } } });
    expect(isNodeLeft(world)).toBe(true);
  });

  test('once it has been tried for its time, also where no status can tell of it', async () => {
    const world = aNodePhase(10);
    const refused = { kind: 'refused', code: 403, message: 'no' } as const;
    world.management.on(`patch ${machinePath}/status`, () => refused, 9);
    failRequests(world, 9);
    await lookAt(world, 3.5);
    await lookAt(world, 14);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'node', since: '2026-01-01T12:00:14.000Z' });
    await lookAt(world, 24);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'timed-out' } } });
  });

  test('once it has begun anew, where each request takes longer to fail than the limit lasts', async () => {
    const world = aNodePhase(10);
    const { workload, time } = world;
    const failSlowly = (): never => {
      time.now += 10_000;
      throw new Unavailable('nodes/node-1: no answer within 10 s');
    };
    workload.on('get nodes/node-1', failSlowly, 99);
    workload.on('delete nodes/node-1', failSlowly, 99);
    await lookAt(world, 3.5);
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'finalize',
      passed: { node: { as: 'timed-out', since: '2026-01-01T12:00:13.500Z' } },
    });
    expect(saves(world)).toBe(2);
  });

  test('at the first failure where its limit is negative', async () => {
    const world = aNodePhase(-1);
    failRequests(world, 9);
    await lookAt(world, 23);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'timed-out' } } });
    expect(saves(world)).toBe(1);
  });
});

test('a first try in time writes no checkpoint but that the phase is passed, and a failed one writes none', async () => {
  const world = aNodePhase(10);
  failRequests(world, 1);
  await lookAt(world, 3.5);
  expect(saves(world)).toBe(0);
  await lookAt(world, 5.5);
  expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'done', since: timeAfter(3) } } });
  expect(saves(world)).toBe(1);
});

describe('where it takes longer to be refused the delete than the limit lasts', () => {
  test.each([
    ['handed on just now', 3],
    ['found late', 60],
  ])('the Node of a Machine that was %s is left behind once that has begun anew', async (_what, seconds) => {
    const world = aNodePhase(5);
    // A webhook of the workload cluster, say, that asks somebody else first.
    world.workload.delete = async () => {
      world.time.now += 6_000;
      return { kind: 'refused', code: 403, message: 'admission webhook "nodes" denied the request' };
    };
    await lookAt(world, seconds);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'timed-out' } } });
  });
});
