import { controlPlaneLabels } from './drain/control-plane.ts';
import type { Node } from './kubernetes/objects.ts';
import { type Kubernetes, nodes } from './kubernetes/port.ts';

/** The Nodes of the control plane as they are now: no memory is asked, since another instance may just have cordoned one. */
export async function listControlPlane(api: Pick<Kubernetes, 'list'>): Promise<Node[]> {
  const lists = await Promise.all(
    controlPlaneLabels.map((labelSelector) => api.list(nodes, { labelSelector })),
  );
  const byUid = new Map(lists.flatMap(({ items }) => items).map((node) => [node.metadata.uid, node]));
  return [...byUid.values()];
}
