import { controllerOf, type KubeObject, type OwnerReference, type Pod } from '../kubernetes/objects.ts';
import { type Deployment, kindOfOwner } from '../kubernetes/workloads.ts';

/** The ReplicaSet that controls a Pod. */
export const replicaSetOf = (pod: Pod): OwnerReference | undefined =>
  controllerOfKind(pod, 'ReplicaSet.apps');

/** The Deployment that controls a ReplicaSet. */
export const deploymentOf = (set: KubeObject): OwnerReference | undefined =>
  controllerOfKind(set, 'Deployment.apps');

function controllerOfKind(object: KubeObject, kind: string): OwnerReference | undefined {
  const owner = controllerOf(object);
  return owner !== undefined && kindOfOwner(owner) === kind ? owner : undefined;
}

/** How many Pods it wants. */
export const replicasOf = ({ spec }: Deployment): number => spec?.replicas ?? 1;

/** A surge is rounded up, what may be unavailable down. Kubernetes makes it 1 where both come to 0. */
export function limitsOf(object: Deployment): { maxSurge: number; maxUnavailable: number } {
  const { maxSurge: surge = '25%', maxUnavailable: away = '25%' } =
    object.spec?.strategy?.rollingUpdate ?? {};
  const maxSurge = Math.ceil(shareOf(surge, object));
  const maxUnavailable = Math.floor(shareOf(away, object));
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

const shareOf = (value: number | string, object: Deployment): number =>
  typeof value === 'number' ? value : (Number.parseInt(value, 10) * replicasOf(object)) / 100;
