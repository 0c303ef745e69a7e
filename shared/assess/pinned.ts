import { isMadeAgain, pinsTo } from '../drain/recreated-pods.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import type { Key, Resource } from '../kubernetes/client.ts';
import { readOr } from '../kubernetes/errors.ts';
import { controllerOf, type KubeObject, type Node, type Pod, uidOf } from '../kubernetes/objects.ts';
import { replicaSets } from '../kubernetes/resources.ts';
import { kindOfOwner } from '../kubernetes/workloads.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { statefulSets } from './makers.ts';

/** Pods whose template names the Node, by UID: what makes them makes the next one there, too. */
export type PinnedPods = ReadonlyMap<string, string>;

/** Asks what makes the Pods that are evicted. One that cannot be read is not asked again for others of its kind. */
export async function pinnedPods(
  snapshot: Pick<Snapshot, 'get'>,
  node: Node,
  verdicts: readonly PodVerdict[],
): Promise<PinnedPods> {
  const evicted = verdicts.filter(({ behavior }) => behavior === 'Drain').map(({ pod }) => pod);
  const asked = evicted.filter(isMadeAgain).flatMap((pod) => {
    const owner = ownerToAsk(pod);
    return owner === undefined ? [] : [{ pod, owner }];
  });
  const byKind = Map.groupBy(asked, ({ owner }) => owner.resource);
  const pinned = [...byKind].map(([, those]) => pinnedOfKind(snapshot, node, those));
  return new Map((await Promise.all(pinned)).flat());
}

interface Asked {
  pod: Pod;
  owner: Maker;
}

interface Maker {
  kind: string;
  resource: Resource;
  key: Key;
}

const jobs: Resource = { group: 'batch', version: 'v1', plural: 'jobs' };

/** What makes Pods from a template, by its kind and group. Only who looks asks for it: no run needs it. */
const makers: Readonly<Record<string, Resource>> = {
  'ReplicaSet.apps': replicaSets,
  'StatefulSet.apps': statefulSets,
  'Job.batch': jobs,
};

/** What makes the Pod, where its template can be asked for. */
function ownerToAsk(pod: Pod): Maker | undefined {
  const owner = controllerOf(pod);
  if (owner === undefined) return undefined;
  const resource = makers[kindOfOwner(owner)];
  const key = { namespace: pod.metadata.namespace ?? '', name: owner.name };
  return resource && { kind: owner.kind, resource, key };
}

async function pinnedOfKind(
  snapshot: Pick<Snapshot, 'get'>,
  node: Node,
  asked: readonly Asked[],
): Promise<[string, string][]> {
  const pinned: [string, string][] = [];
  for (const { pod, owner } of asked) {
    const { resource, key, kind } = owner;
    const found = await readOr<KubeObject | 'unread' | undefined>('unread', () =>
      snapshot.get('workload', resource, key),
    );
    if (found === 'unread') break;
    if (found !== undefined && pinsTo(found, node))
      pinned.push([uidOf(pod), `${kind} ${key.namespace}/${key.name}`]);
  }
  return pinned;
}
