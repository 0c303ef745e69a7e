import { expect, test } from 'vitest';
import { infrastructure } from '../../../functions/infrastructure.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

const former = timeAfter(-601);
const deletion = {
  waitForPreDrainHookStartTime: former,
  nodeDrainStartTime: former,
  waitForNodeVolumeDetachStartTime: former,
  waitForPreTerminateHookStartTime: former,
};

const metadata = { creationTimestamp: timeAfter(-600) };

const deletionOf = ({ management }: World): unknown =>
  recordAt(management.at(machinePath), 'status')['deletion'];

const statusWrites = ({ log }: World): number => log.filter((line) => line.endsWith('/status')).length;

/** Made again from a backup, ten minutes before its deletion, with the status that it had. */
function aWorldMadeAgain(): World {
  const passed = { drain: { as: 'done', since: timeAfter(1) } } as const;
  const checkpoint = aCheckpoint({ phase: 'infrastructure', since: timeAfter(2), passed });
  const world = aWorld(
    aRawMachine({
      metadata,
      annotations: atCheckpoint(checkpoint),
      status: { deletion },
    }),
  );
  world.time.now = after(3);
  return world;
}

test('the times of a former Machine go from the status, also where one of this deletion stays', async () => {
  const world = aWorldMadeAgain();
  await reconcilePhase(world.env, infrastructure, aCommand({ phase: 'infrastructure' }));
  expect(deletionOf(world)).toEqual({ nodeDrainStartTime: timeAfter(1) });
});

test('nothing is written once all is said', async () => {
  const world = aWorldMadeAgain();
  await reconcilePhase(world.env, infrastructure, aCommand({ phase: 'infrastructure' }));
  const writes = statusWrites(world);
  world.time.now = after(30);
  await reconcilePhase(world.env, infrastructure, aCommand({ phase: 'infrastructure' }));
  const another = world.another();
  await reconcilePhase(another, infrastructure, aCommand({ phase: 'infrastructure' }));
  expect(statusWrites(world)).toBe(writes);
});

const hook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/late';

test('a late hook is waited for since some time of this Machine, also by a clock that is behind', async () => {
  const passed = { drain: { as: 'done', since: timeAfter(1) } } as const;
  const checkpoint = aCheckpoint({ phase: 'infrastructure', since: timeAfter(2), passed });
  const world = aWorld(aRawMachine({ metadata, annotations: atCheckpoint(checkpoint, { [hook]: '' }) }));
  const command = aCommand({ phase: 'infrastructure' });
  world.time.now = after(-3_600);
  await reconcilePhase(world.env, infrastructure, command);
  const writes = statusWrites(world);
  for (const seconds of [-3_540, -3_480, -3_420]) {
    world.time.now = after(seconds);
    await reconcilePhase(world.env, infrastructure, command);
  }
  expect(statusWrites(world)).toBe(writes);
  expect(clusterApi.hasWaitedForHooks(clusterApi.read(world.management.at(machinePath)!))).toBe(true);
});

test.each([
  ['right', 0],
  ['an hour behind', -3_600],
])('a Node stays as the owner of a late hook has left it, by a clock that is %s', async (_what, behind) => {
  const passed = {
    drain: { as: 'done', since: timeAfter(1) },
    'volume-detach': { as: 'done', since: timeAfter(2) },
  } as const;
  const at = aCheckpoint({ phase: 'infrastructure', since: timeAfter(3), passed, node: 'node-uid-1' });
  const world = aWorld(aRawMachine({ metadata, annotations: atCheckpoint(at, { [hook]: '' }) }));
  const look = async (seconds: number): Promise<void> => {
    world.time.now = after(seconds + behind);
    await reconcilePhase(world.env, infrastructure, aCommand({ phase: 'infrastructure' }));
  };
  await look(60);
  expect(deletionOf(world)).toHaveProperty('waitForPreTerminateHookStartTime');
  world.workload.put('pods', { ...pod('shop/a'), spec: { nodeName: 'node-1' } });
  world.management.change(machinePath, { metadata: { annotations: { [hook]: null } } });
  await look(120);
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'infrastructure' });
  expect(world.log).toContain('delete servers/default/m-1');
});
