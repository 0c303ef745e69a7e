import { deploymentOf, replicaSetOf } from '../blocked/deployment.ts';
import type { Found, RolloutSeen } from '../blocked/rollout-seen.ts';
import type { Key, Resource } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { claimsOf, type KubeObject, type OwnerReference, type Pod } from '../kubernetes/objects.ts';
import { deployments, nodes, persistentVolumeClaims, replicaSets } from '../kubernetes/resources.ts';

type Get = (resource: Resource, key: Key) => Promise<KubeObject | undefined>;

/** Reads all that decides whether the Deployment of a Pod may be restarted. What fails is kept as unread. */
export async function readRollout(get: Get, pod: Pod): Promise<RolloutSeen> {
  const { namespace = '' } = pod.metadata;
  const [node, [replicaSet, deployment], claims] = await Promise.all([
    find(get, nodes, { name: pod.spec?.nodeName ?? '' }),
    readOwners(get, pod, namespace),
    readClaims(get, pod),
  ]);
  return { pod, node, replicaSet, deployment, claims };
}

async function readOwners(
  get: Get,
  pod: Pod,
  namespace: string,
): Promise<[Found<KubeObject>, Found<KubeObject>]> {
  const replicaSet = await owner(get, replicaSets, namespace, replicaSetOf(pod));
  const above = replicaSet.kind === 'found' ? deploymentOf(replicaSet.object) : undefined;
  return [replicaSet, await owner(get, deployments, namespace, above)];
}

/** An object that has taken its name is another one. */
async function owner(
  get: Get,
  resource: Resource,
  namespace: string,
  reference: OwnerReference | undefined,
): Promise<Found<KubeObject>> {
  if (reference === undefined) return { kind: 'absent' };
  const found = await find(get, resource, { namespace, name: reference.name });
  const isAnother = found.kind === 'found' && found.object.metadata.uid !== reference.uid;
  return isAnother ? { kind: 'absent' } : found;
}

async function readClaims(get: Get, pod: Pod): Promise<RolloutSeen['claims']> {
  const entries = claimsOf(pod).map(async (claim) => {
    const [namespace = '', name = ''] = claim.split('/');
    return [name, await find(get, persistentVolumeClaims, { namespace, name })] as const;
  });
  return new Map(await Promise.all(entries));
}

async function find(get: Get, resource: Resource, key: Key): Promise<Found<KubeObject>> {
  try {
    const object = await get(resource, key);
    return object === undefined ? { kind: 'absent' } : { kind: 'found', object };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { kind: 'unread', why: error.statusText };
  }
}
