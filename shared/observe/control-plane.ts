import { controlPlaneLabels, cordonedOther, isOfControlPlane } from '../drain/node.ts';
import type { Kubernetes } from '../kubernetes/client.ts';
import type { Node } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import type { Subject } from '../phase/definition.ts';
import type { Snapshot } from '../phase/snapshot.ts';

/** A Node that is not cordoned. Its Pods are listed only once no more can be scheduled onto it. */
export type CordonSeen =
  | { kind: 'schedulable'; name: string; uid: string; isExclusive: boolean }
  /** One of the control plane, while another one is cordoned. */
  | { kind: 'not-permitted'; name: string; other: Node };

/** Whether the Node may be cordoned. Workers always may: which others are cordoned is asked for no worker's sake. */
export async function observeCordon(
  snapshot: Snapshot,
  { dialect }: Subject,
  node: Node,
): Promise<CordonSeen> {
  const { name, uid = '' } = node.metadata;
  const isExclusive = dialect.drain.cordonsOneControlPlaneNodeAtATime && isOfControlPlane(node);
  if (!isExclusive) return { kind: 'schedulable', name, uid, isExclusive };
  const controlPlane = await listControlPlane({
    list: (resource, selection) => snapshot.list('workload', resource, selection),
  });
  const other = cordonedOther(controlPlane, uid);
  return other === undefined
    ? { kind: 'schedulable', name, uid, isExclusive }
    : { kind: 'not-permitted', name, other };
}

/** The Nodes of the control plane as they are now. No memory serves, since another instance may just have cordoned one. */
export async function listControlPlane(api: Pick<Kubernetes, 'list'>): Promise<Node[]> {
  const lists = await Promise.all(
    controlPlaneLabels.map((labelSelector) => api.list(nodes, { labelSelector })),
  );
  const byUid = new Map(lists.flatMap(({ items }) => items).map((node) => [node.metadata.uid, node]));
  return [...byUid.values()];
}
