import type { Cluster, KubeObject } from '../../kubernetes/objects/cluster.ts';
import type { World } from '../machinery/world.ts';

/**
 * Says where the Nodes of a Cluster's Machines are: beside the Machines, unless the settings name another cluster.
 * `opened` is told of each place once.
 */
export function workloadsOf(world: World, opened: (nodes: World) => void): (cluster: KubeObject) => World {
  const known = new Map<Cluster, World>();
  opened(world);
  return ({ metadata }) => {
    const found = world.settings.workload(metadata);
    if (found === undefined) return world;
    const before = known.get(found);
    if (before !== undefined) return before;
    const nodes = world.beside(found);
    known.set(found, nodes);
    opened(nodes);
    return nodes;
  };
}
