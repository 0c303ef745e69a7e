import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { conditionsFrom, find } from '../../../shared/dialects/conditions.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aCluster, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const controlPlaneRef = { apiGroup: 'cp.example', kind: 'ControlPlane', name: 'cp' };

const noAnswer = () => {
  throw new Unavailable('503');
};

function inDrain(isPaused: boolean, nodeRef: object | undefined = { name: 'node-1' }): World {
  const annotations = atCheckpoint(aCheckpoint({ since: timeAfter(9) }));
  const world = aWorld(aRawMachine({ annotations, status: { nodeRef } }));
  world.management.put('clusters', aCluster({ spec: { paused: isPaused, controlPlaneRef } }));
  return world;
}

const step = async (world: World) => {
  const { facts } = await reconcilePhase(world.env, drain, aCommand());
  world.time.now += 60_000;
  world.time.passed += 60_000;
  return facts;
};

/** How its conditions show that it is paused, and that it is being deleted. */
function said(world: World): (string | undefined)[] {
  const list = conditionsFrom(recordAt(world.management.at(machinePath), 'status')['conditions']);
  return ['Paused', 'Deleting'].map((type) => find(list, type)?.reason);
}

describe('a Machine that its Cluster pauses', () => {
  test.each<[string, (world: World) => void]>([
    ['the control plane', ({ management }) => management.on('get controlplanes/default/cp', noAnswer)],
    ['the Machines of the control plane', ({ management }) => management.on('list machines', noAnswer)],
    ['the Nodes', ({ workload }) => workload.on('list nodes', noAnswer)],
  ])('is paused, and not judged further, where %s cannot be read', async (_what, fail) => {
    const world = inDrain(true, undefined);
    fail(world);
    expect(await step(world)).toMatchObject([{ kind: 'blocked', reason: 'Paused' }]);
    expect(said(world)).toEqual(['Paused', undefined]);
    expect(world.workload.reads).toEqual([]);
  });

  test('is left as it is while the Cluster cannot be read', async () => {
    const world = inDrain(true);
    await step(world);
    const before = world.management.at(machinePath);
    world.management.on('get clusters/default/c', noAnswer);
    expect(await step(world)).toMatchObject([{ kind: 'failed', error: '503' }]);
    expect(world.management.at(machinePath)).toEqual(before);
    await step(world);
    expect(said(world)).toEqual(['Paused', undefined]);
  });

  test('or by itself is said to be so, though the Cluster cannot be read', async () => {
    const world = inDrain(false);
    world.management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    world.management.on('get clusters/default/c', noAnswer);
    await step(world);
    expect(said(world)).toEqual(['Paused', undefined]);
  });

  test('is told of the Cluster when that is gone', async () => {
    const world = inDrain(true);
    await step(world);
    world.management.drop('clusters/default/c');
    await step(world);
    expect(said(world)).toEqual(['NotPaused', 'InternalError']);
  });
});

describe('a Machine of which nobody has said whether it is paused', () => {
  test('says why it waits where the Cluster cannot be read, and nothing of a pause', async () => {
    const world = inDrain(false);
    world.management.on('get clusters/default/c', noAnswer);
    await step(world);
    expect(said(world)).toEqual([undefined, 'InternalError']);
  });

  test('is not paused where the Cluster was read, whatever else could not be', async () => {
    const world = inDrain(false);
    world.management.on('list machines', noAnswer);
    await step(world);
    expect(said(world)).toEqual(['NotPaused', 'InternalError']);
  });
});

test('a Machine that is not paused stays so while the Cluster cannot be read', async () => {
  const world = inDrain(false);
  world.management.on('list machines', noAnswer);
  await step(world);
  world.management.on('get clusters/default/c', noAnswer);
  await step(world);
  expect(said(world)).toEqual(['NotPaused', 'InternalError']);
});
