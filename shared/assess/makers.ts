import type { Resource } from '../kubernetes/client.ts';
import { readOr } from '../kubernetes/errors.ts';
import { controllerOf, type KubeObject, type OwnerReference, type Pod } from '../kubernetes/objects.ts';
import { deployments, replicaSets } from '../kubernetes/resources.ts';
import { kindOfOwner } from '../kubernetes/workloads.ts';
import type { Snapshot } from '../phase/snapshot.ts';

/** What people change to change a Pod: the object that no other one makes. */
export interface TopMaker {
  kind: string;
  /** `namespace/name`. */
  name: string;
  /** What was not read on the way: then it may have a maker of its own. */
  unread?: string;
}

/** Only who looks asks for it: no run needs it, nor has the right. */
export const statefulSets: Resource = { group: 'apps', version: 'v1', plural: 'statefulsets' };

/** These may have a maker of their own. */
const madeByOthers: Readonly<Record<string, Resource>> = {
  'ReplicaSet.apps': replicaSets,
  'Deployment.apps': deployments,
  'StatefulSet.apps': statefulSets,
};

/** More steps than any chain of makers has. */
const mostSteps = 5;

/** Goes from a Pod to its maker, and on to what makes that one. Undefined for a Pod that nothing makes. */
export async function topMakerOf(read: Pick<Snapshot, 'get'>, pod: Pod): Promise<TopMaker | undefined> {
  const { namespace = '' } = pod.metadata;
  let owner = controllerOf(pod);
  for (let step = 1; owner !== undefined && step < mostSteps; step += 1) {
    const resource = resourceOf(owner);
    const key = { namespace, name: owner.name };
    const found = await readOr<KubeObject | 'unread' | undefined>('unread', async () =>
      resource === undefined ? undefined : read.get('workload', resource, key),
    );
    const maker = { kind: owner.kind, name: `${namespace}/${owner.name}` };
    if (found === 'unread') return { ...maker, unread: `${maker.kind} ${maker.name}` };
    const next = found && controllerOf(found);
    if (next === undefined) return maker;
    owner = next;
  }
  return undefined;
}

const resourceOf = (owner: OwnerReference): Resource | undefined => madeByOthers[kindOfOwner(owner)];
