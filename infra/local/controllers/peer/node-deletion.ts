import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { at } from '../../kubernetes/server/json.ts';
import { isTerminating } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { clusterApi } from '../machines/apis.ts';
import { referenced } from '../machines/kinds.ts';
import type { Machine } from '../machines/machine-objects.ts';

const clusterLabel = 'cluster.x-k8s.io/cluster-name';
const controlPlaneLabel = 'cluster.x-k8s.io/control-plane';

/**
 * Whether the Node's end is prepared for: pre-drain hooks, drain, volumes, the Node itself. It is not where the whole
 * cluster goes, or where no Machine of a control plane stays.
 */
export function mindsNode(world: World, cluster: KubeObject): boolean {
  if (isTerminating(cluster)) return false;
  const { namespace, name } = cluster.metadata;
  const controlPlane = referenced(world, namespace, at(cluster, 'spec', 'controlPlaneRef'))?.object;
  if (controlPlane !== undefined && isTerminating(controlPlane)) return false;
  if (at(controlPlane, 'status', 'externalManagedControlPlane') === true) return true;
  const isMember = (machine: Machine): boolean =>
    machine.metadata.namespace === namespace &&
    machine.metadata.labels?.[clusterLabel] === name &&
    machine.metadata.labels[controlPlaneLabel] !== undefined;
  const machines = [...world.informer<Machine>(clusterApi.machines).all()];
  return machines.some((machine) => isMember(machine) && !isTerminating(machine));
}
