import { expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aNode } from '../../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, savedCheckpoint, type World } from '../../builders/world.ts';

const look = (world: World) => reconcilePhase(world.env, drain, aCommand());

/** Half a minute to drain a Node that cannot be cordoned yet. */
function aDrain(annotations: Record<string, string> = {}, status: Record<string, unknown> = {}): World {
  const spec = { deletion: { nodeDrainTimeoutSeconds: 30 } };
  const world = aWorld(aRawMachine({ metadata: { annotations }, spec, status }));
  world.workload.put('nodes', { ...aNode(), spec: {} });
  world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }), 9);
  return world;
}

test('a drain begins with the deletion by a clock that is hours behind', async () => {
  const world = aDrain();
  world.time.now = after(-7_200);
  await look(world);
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:00:00.000Z' });
});

test('a start from before the deletion is taken for that of the deletion', async () => {
  const since = timeAfter(-7_200);
  const world = aDrain(atCheckpoint(aCheckpoint({ since })), { deletion: { nodeDrainStartTime: since } });
  world.time.now = after(29.999);
  await look(world);
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
  world.time.now = after(30);
  await look(world);
  expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
});

test('the next phase begins with the last write that the API server has dated, at the earliest', async () => {
  const managedFields = [{ manager: 'phaseout', operation: 'Update', time: timeAfter(600) }];
  const annotations = atCheckpoint(aCheckpoint({ since: timeAfter(1) }));
  const world = aWorld(aRawMachine({ metadata: { annotations, managedFields } }));
  world.time.now = after(-7_200);
  await look(world);
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', since: '2026-01-01T12:10:00.000Z' });
});
