import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { keyOf } from '../machinery/keys.ts';
import { controllerOf, type Pod } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

/** Its owner was not given: it cannot be asked how many there should be, and makes none here. */
export function isOfUnknownOwner(world: World, object: KubeObject): boolean {
  const owner = controllerOf(object);
  return owner !== undefined && world.settings.unknownOwners.has(owner.uid);
}

/**
 * Pods that were given without their owner and have gone since. In the cluster their owner replaces them, so a budget counts
 * them as replaced: otherwise it would never allow what it allows there.
 */
export function replacedPods(world: World): (namespace: string, isCounted: (pod: Pod) => boolean) => number {
  const pods = world.informer<Pod>('pods');
  const given = [...pods.all()].filter((pod) => isOfUnknownOwner(world, pod));
  const byNamespace = Map.groupBy(given, ({ metadata }) => metadata.namespace ?? '');
  const isGone = (pod: Pod): boolean => pods.get(keyOf(pod)) === undefined;
  return (namespace, isCounted) =>
    (byNamespace.get(namespace) ?? []).filter((pod) => isCounted(pod) && isGone(pod)).length;
}
