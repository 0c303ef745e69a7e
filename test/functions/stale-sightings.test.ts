import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../builders/world.ts';

// A drain may rest on what was seen a moment ago, and on nothing older than five seconds.

const drain = ({ env }: World) => reconcilePhase(env, phaseFunctions.drain, aCommand());

async function sixSecondsLater(change: (world: World) => void): Promise<World> {
  const checkpoint = aCheckpoint({ seq: 1, phase: 'drain' });
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint) }));
  world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  await drain(world);
  world.time.now += 6_000;
  world.log.length = 0;
  change(world);
  await drain(world);
  return world;
}

test('a Node that somebody has uncordoned meanwhile is cordoned again', async () => {
  const world = await sixSecondsLater(({ workload }) =>
    workload.change('nodes/node-1', { spec: { unschedulable: false } }),
  );
  expect(world.log).toContain('patch nodes/node-1');
});

test('a Node that somebody has uncordoned is cordoned again where nothing looks at it after the drain', async () => {
  const world = await sixSecondsLater(({ workload, management }) => {
    management.change(machinePath, {
      metadata: { annotations: { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' } },
    });
    workload.change('nodes/node-1', { spec: { unschedulable: false } });
    workload.drop('pods/ns/a');
  });
  expect(world.log).toContain('patch nodes/node-1');
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'infrastructure' });
});

test('a drain ends when somebody has begun to delete the infrastructure meanwhile', async () => {
  const world = await sixSecondsLater(({ management }) =>
    management.change('servers/default/m-1', { metadata: { deletionTimestamp: timeAfter(12) } }),
  );
  expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'not-applicable' } } });
});

test.each([{ ready: 'Unknown' as const }, { ready: 'True' as const }])(
  'only a Node that was heard from is remembered: $ready',
  async ({ ready }) => {
    const checkpoint = aCheckpoint({ seq: 1, phase: 'drain' });
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint) }));
    world.workload.put('nodes', aNode({ ready }));
    world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
    await drain(world);
    world.time.now += 100;
    world.workload.reads.length = 0;
    await drain(world);
    expect(world.workload.reads.includes('get nodes/node-1')).toBe(ready === 'Unknown');
  },
);

test('a volume that is attached right after the drain is waited for: the wait reads the Node anew', async () => {
  const checkpoint = aCheckpoint({ seq: 1, phase: 'drain' });
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint) }));
  await drain(world);
  world.time.now += 1_000;
  world.workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/d^1'] }));
  const wait = aCommand({ phase: 'volume-detach', seq: 2 });
  expect((await reconcilePhase(world.env, phaseFunctions['volume-detach'], wait)).next).toBeUndefined();
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', seq: 2 });
});
