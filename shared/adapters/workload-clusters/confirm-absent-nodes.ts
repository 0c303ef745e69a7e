import type { Kubernetes } from '../../kubernetes/client.ts';
import { nodes } from '../../kubernetes/resources.ts';

/**
 * A cluster that was left for another one may still answer, and knows nothing of the Nodes of the other one: that a Node
 * is not there is believed only of the cluster that is meant now. `confirm` throws where this is not that one any more.
 */
export const withNodesConfirmed = (kubernetes: Kubernetes, confirm: () => Promise<void>): Kubernetes => ({
  ...kubernetes,
  async get(resource, key) {
    const object = await kubernetes.get(resource, key);
    if (object === undefined && resource === nodes) await confirm();
    return object;
  },
  async list(resource, ...selected) {
    const list = await kubernetes.list(resource, ...selected);
    if (resource === nodes) await confirm();
    return list;
  },
});
