import { expect, test } from 'vitest';
import { intake } from '../../functions/intake.ts';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Advance } from '../../shared/machine/messages.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { beside } from '../builders/beside.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { atCheckpoint, aWorld, machinePath, type World } from '../builders/world.ts';

// Anybody in the cluster may post to the Broker. UID and resourceVersion are true here, and all else may be false.

const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';

function living(machine: KubeObject = aRawMachine()): KubeObject {
  const { deletionTimestamp: _, ...metadata } = machine.metadata;
  return { ...machine, metadata };
}

/** All that follows from the event in one instance. */
async function hear(world: World, told: (machine: KubeObject) => KubeObject): Promise<string[]> {
  const machine = world.management.at(machinePath);
  if (machine === undefined) throw new Error('the world has no Machine');
  world.env.phaseOf = (name) => phaseFunctions[name];
  let { next }: { next?: Advance } = await intake(world.env, told(machine));
  while (next !== undefined) ({ next } = await reconcilePhase(world.env, phaseFunctions[next.phase], next));
  return world.log.filter(
    (line) => !/^(schedule|unschedule|claim|release|hear|keep wake-ups|drop wake-ups)$/.test(line),
  );
}

const saying =
  (metadata: object, more: object = {}) =>
  (machine: KubeObject): KubeObject => ({
    ...machine,
    ...more,
    metadata: { ...machine.metadata, ...metadata },
  });

test.each<[string, Dialect, KubeObject, (machine: KubeObject) => KubeObject]>([
  ['a living Machine is being deleted', clusterApi, living(), saying({ deletionTimestamp: timeAfter(0) })],
  [
    'a living Machine is being deleted, and stands at its end',
    clusterApi,
    living(),
    saying({
      deletionTimestamp: timeAfter(0),
      annotations: atCheckpoint(aCheckpoint({ phase: 'finalize' })),
    }),
  ],
  ['a living Machine has no finalizers', clusterApi, living(), saying({ finalizers: [] })],
  [
    'a Machine that is being deleted lives, and lacks our hook',
    beside(),
    aRawMachine(),
    saying({ deletionTimestamp: undefined }),
  ],
  [
    'no hook is left on a Machine',
    clusterApi,
    aRawMachine({ annotations: { ...atCheckpoint(aCheckpoint({ phase: 'pre-drain' })), [preDrain]: '' } }),
    saying({ annotations: atCheckpoint(aCheckpoint({ phase: 'drain', seq: 7 })) }),
  ],
  [
    'a paused Machine goes on',
    clusterApi,
    aRawMachine({ annotations: { 'cluster.x-k8s.io/paused': '' } }),
    saying({ annotations: {} }),
  ],
  [
    'a Machine of others is ours',
    clusterApi,
    aRawMachine({ metadata: { finalizers: ['x/y'] } }),
    saying({ finalizers: [clusterApi.finalizer] }),
  ],
])(
  'that %s, as a forged event says, changes nothing but what the Machine itself asks for',
  async (_what, dialect, machine, told) => {
    const genuine = aWorld(machine);
    const forged = aWorld(machine);
    genuine.env.dialects = [dialect];
    forged.env.dialects = [dialect];
    const asked = await hear(genuine, (object) => object);
    const done = await hear(forged, told);
    expect(done.filter((line) => !asked.includes(line))).toEqual([]);
  },
);

test('the Node that a forged event names is left alone', async () => {
  const world = aWorld();
  world.workload.put('nodes', { metadata: { name: 'node-9', uid: 'node-uid-9' } });
  const nodeRef = { apiVersion: 'v1', kind: 'Node', name: 'node-9', uid: 'node-uid-9' };
  const done = await hear(world, saying({}, { status: { nodeRef } }));
  expect(done.filter((line) => line.includes('node-9'))).toEqual([]);
  expect(world.workload.at('nodes/node-9')).toMatchObject({ metadata: { uid: 'node-uid-9' } });
});
