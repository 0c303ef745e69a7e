import { isTerminating, type Pod, uidOf, type Workload } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { byController, isActive } from './pods.ts';
import { followOwned, patchStatus, podFrom, replicaStatus, surplus } from './replicas.ts';

const resource = 'replicasets.apps';

/** Keeps as many Pods as asked for; a terminating Pod is replaced at once, as the real controller does. */
export function replicaSets(world: World): void {
  const sets = world.informer<Workload>(resource);
  const pods = world.informer<Pod>('pods');

  const queue = world.queue('replicaset', (key) => {
    const set = sets.get(key);
    if (set === undefined) return;
    if (!isTerminating(set)) keepReplicas(world, set, pods.in(byController, uidOf(set)).filter(isActive));
    const kept = pods.in(byController, uidOf(set));
    const counts = replicaStatus(set, kept);
    patchStatus(world, resource, set, { ...counts, fullyLabeledReplicas: counts['replicas'] });
  });
  followOwned(world, resource, 'ReplicaSet', queue);
}

function keepReplicas(world: World, set: Workload, active: readonly Pod[]): void {
  const wanted = set.spec?.replicas ?? 1;
  for (let count = active.length; count < wanted; count += 1)
    world.create('pods', podFrom(set, set.spec?.template));
  for (const pod of surplus(active, active.length - wanted)) world.remove('pods', pod);
}
