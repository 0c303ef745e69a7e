import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { controllerOf, keyOf, type Pod, toKey, uidOf, type Workload } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

/** How many Pods the controllers of these Pods want together, or why that is unknown. */
export type Expectation = { count: number } | Failure;

interface Failure {
  failure: string;
  /** The controller itself is not known here. */
  isUnknown?: boolean;
}

/**
 * Pods without a controller add nothing: no controller can be asked how many there should be. Those whose controller was
 * not given count themselves.
 */
export function expectedPods(world: World, pods: readonly Pod[]): Expectation {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined || scales.has(owner.uid)) continue;
    const found = scaleOf(world, pod, owner.kind);
    if ('failure' in found) return found;
    scales.set(found.uid, found.count);
  }
  return { count: [...scales.values()].reduce((total, count) => total + count, 0) };
}

type Scale = { uid: string; count: number } | Failure;

const scaled: Readonly<Record<string, string>> = {
  ReplicaSet: 'replicasets.apps',
  StatefulSet: 'statefulsets.apps',
  Deployment: 'deployments.apps',
};

const unscaled: Readonly<Record<string, string>> = { DaemonSet: 'daemonsets.apps', Job: 'jobs.batch' };

function scaleOf(world: World, pod: Pod, kind: string): Scale {
  const plain = unscaled[kind];
  if (plain !== undefined) return { failure: `${plain} does not implement the scale subresource` };
  if (isOfUnknownOwner(world, pod)) return { uid: uidOf(pod), count: 1 };
  const unknown = { failure: `found no controllers for pod "${pod.metadata.name}"`, isUnknown: true };
  const owner = controllerIn(world, pod, scaled[kind]);
  if (owner === undefined) return unknown;
  // A ReplicaSet of a Deployment stands for it. While it is rolled out, its ReplicaSets have more Pods than wanted.
  const isOfDeployment = controllerOf(owner)?.kind === 'Deployment' && !isOfUnknownOwner(world, owner);
  const above = isOfDeployment ? controllerIn(world, owner, scaled['Deployment']) : owner;
  if (above === undefined) return unknown;
  return { uid: uidOf(above), count: above.spec?.replicas ?? 1 };
}

function controllerIn(
  world: World,
  object: Pod | Workload,
  resource: string | undefined,
): Workload | undefined {
  const reference = controllerOf(object);
  if (reference === undefined || resource === undefined) return undefined;
  const found = world.informer<Workload>(resource).get(toKey(object.metadata.namespace, reference.name));
  return found !== undefined && uidOf(found) === reference.uid ? found : undefined;
}

/** Its owner was not given: it cannot be asked how many there should be, and makes none here. */
export function isOfUnknownOwner(world: World, object: KubeObject): boolean {
  const owner = controllerOf(object);
  return owner !== undefined && world.settings.unknownOwners.has(owner.uid);
}

/**
 * Pods that were given without their owner and have gone since. In the cluster their owner replaces them, so a budget
 * counts them as replaced. It would allow too little otherwise.
 */
export function replacedPods(world: World): (namespace: string, isCounted: (pod: Pod) => boolean) => number {
  const pods = world.informer<Pod>('pods');
  const given = [...pods.all()].filter((pod) => isOfUnknownOwner(world, pod));
  const byNamespace = Map.groupBy(given, ({ metadata }) => metadata.namespace ?? '');
  const isGone = (pod: Pod): boolean => pods.get(keyOf(pod)) === undefined;
  return (namespace, isCounted) =>
    (byNamespace.get(namespace) ?? []).filter((pod) => isCounted(pod) && isGone(pod)).length;
}
