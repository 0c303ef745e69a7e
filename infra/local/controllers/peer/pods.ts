import {
  controllerOf,
  isTerminating,
  keyOf,
  type Node,
  type Pod,
  toKey,
  type Workload,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isUnreachable } from '../nodes/nodes.ts';
import { byNode, isFinished, isMirror } from '../workloads/pods.ts';

type Fate = 'evict' | 'wait' | 'stay';

export function podsOn(world: World, node: Node): Pod[] {
  const pods = world.informer<Pod>('pods').in(byNode, node.metadata.name);
  return pods.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** What the drain does with a Pod. The phase does not count: one that waits to complete holds until it is gone. */
export function fateOf(world: World, node: Node, pod: Pod): Fate {
  if (isUnreachable(node) && isTerminating(pod) && isLongGone(world, pod)) return 'stay';
  return isUndrained(world, pod) ? 'stay' : labelled(pod);
}

/** The drain leaves it where it is, and its volumes attached. */
export function isUndrained(world: World, pod: Pod): boolean {
  return isOfDaemonSet(world, pod) || isMirror(pod) || labelled(pod) === 'stay';
}

/** One that exists: the Pods of another are orphans. */
export function isOfDaemonSet(world: World, pod: Pod): boolean {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'DaemonSet' || isFinished(pod)) return false;
  const key = toKey(pod.metadata.namespace, owner.name);
  return world.informer<Workload>('daemonsets.apps').get(key) !== undefined;
}

function labelled({ metadata }: Pod): Fate {
  const value = (metadata.labels?.['cluster.x-k8s.io/drain'] ?? '').toLowerCase();
  if (value === 'skip') return 'stay';
  return value.replace('-', '') === 'waitcompleted' ? 'wait' : 'evict';
}

/** Nothing on an unreachable Node removes the Pod any more. */
export function isLongGone({ clock }: World, { metadata }: Pod): boolean {
  return clock.now() - Date.parse(metadata.deletionTimestamp ?? '') >= 2000;
}
