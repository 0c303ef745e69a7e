import type { KubeObject, OwnerReference } from '../../kubernetes/objects/cluster.ts';
import { objectOf } from '../../kubernetes/server/json.ts';
import {
  controllerOf,
  keyOf,
  type Pod,
  type PodTemplate,
  toKey,
  uidOf,
  type Workload,
} from '../machinery/objects.ts';
import type { WorkQueue } from '../machinery/work-queue.ts';
import type { World } from '../machinery/world.ts';
import { isActive, isReady } from './pods.ts';

/** Has a controller of this kind looked at when it, or a Pod of its own, changes. */
export function followOwned(world: World, resource: string, kind: string, queue: WorkQueue): void {
  world.informer<Workload>(resource).onChange(({ key }) => queue.add(key));
  world.informer<Pod>('pods').onChange(({ before, after }) => {
    for (const pod of [before, after]) {
      const owner = pod && controllerOf(pod);
      if (owner?.kind === kind) queue.add(toKey(pod?.metadata.namespace, owner.name));
    }
  });
}

export function ownedBy(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion ?? '',
    kind: owner.kind ?? '',
    name: owner.metadata.name,
    uid: uidOf(owner),
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** A Pod of its controller's template. */
export const podFrom = (owner: Workload, template: PodTemplate | undefined, name = ''): KubeObject =>
  madeFrom(owner, template, { apiVersion: 'v1', kind: 'Pod', name });

/** An object of its controller's template. Without a name of its own the API server completes `generateName`. */
export function madeFrom(
  owner: KubeObject,
  template: PodTemplate | undefined,
  { apiVersion, kind, name = '' }: { apiVersion: string; kind: string; name?: string },
): KubeObject {
  const { labels, annotations } = template?.metadata ?? {};
  const metadata = {
    ...(name === '' ? { name, generateName: `${owner.metadata.name}-` } : { name }),
    namespace: owner.metadata.namespace ?? '',
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ownerReferences: [ownedBy(owner)],
  };
  return { apiVersion, kind, metadata, spec: template?.spec ?? {} };
}

/** Those to give up first: not yet bound, then not Ready, then the youngest. */
export function surplus(pods: readonly Pod[], count: number): Pod[] {
  return pods
    .toReversed()
    .toSorted((one, other) => worth(one) - worth(other))
    .slice(0, Math.max(0, count));
}

function worth(pod: Pod): number {
  return (pod.spec?.nodeName === undefined ? 0 : 1) + (isReady(pod) ? 2 : 0);
}

/** The counters that Deployments, ReplicaSets and StatefulSets share. */
export function replicaStatus(owner: Workload, pods: readonly Pod[]): Record<string, number> {
  const ready = pods.filter((pod) => isActive(pod) && isReady(pod)).length;
  return {
    observedGeneration: owner.metadata.generation ?? 1,
    replicas: pods.filter(isActive).length,
    readyReplicas: ready,
    availableReplicas: ready,
  };
}

/** Writes the fields of the status that differ. */
export function patchStatus(
  world: World,
  resource: string,
  owner: KubeObject,
  status: Record<string, unknown>,
): void {
  const before = objectOf(owner.status);
  const differs = Object.entries(status).some(
    ([field, value]) =>
      JSON.stringify(before[field] ?? (value === 0 ? 0 : undefined)) !== JSON.stringify(value),
  );
  if (!differs || world.informer(resource).get(keyOf(owner)) === undefined) return;
  world.writeStatus(resource, owner, status);
}
