import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';

/** As it is after its controllers have seen to it: a create sets no status. */
export function createWithStatus(cluster: Cluster, resource: string, object: KubeObject): KubeObject {
  const created = cluster.create(resource, object);
  const { status } = object;
  return status === undefined ? created : cluster.patch(resource, created, { status }, 'status');
}
