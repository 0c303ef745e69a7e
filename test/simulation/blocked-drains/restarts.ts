import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { restartedForIn } from '../invariants/sight/restarted-for.ts';
import type { Exchange } from '../wire/exchange.ts';
import { deployments } from './deployments.ts';

/** The UID of the Machine that an instance restarts a Deployment for; undefined of any other request. */
export function restartedFor({ instance, verb, resource, body }: Exchange): string | undefined {
  if (!instance.startsWith('instance') || verb !== 'patch' || resource !== deployments) return undefined;
  return restartedForIn(body);
}

/** `rollouts/web of blue`. */
export const deploymentIn = ({ host, namespace, name }: Exchange): string =>
  `${namespace}/${name} of ${host}`;

/** Those of its ReplicaSets. */
export function podsOf(cluster: Cluster, { metadata: { namespace = '', uid } }: KubeObject): KubeObject[] {
  const sets = cluster.list('replicasets.apps', { namespace }).filter((set) => isOwnedBy(set, uid));
  const uids = sets.map((set) => set.metadata.uid);
  return cluster.list('pods', { namespace }).filter((pod) => uids.some((each) => isOwnedBy(pod, each)));
}

const isOwnedBy = ({ metadata }: KubeObject, uid: string | undefined): boolean =>
  (metadata.ownerReferences ?? []).some((owner) => owner.controller === true && owner.uid === uid);
