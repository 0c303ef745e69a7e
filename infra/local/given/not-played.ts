import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { at, textAt } from '../kubernetes/server/json.ts';
import { nameOf, sayCluster } from './clusters.ts';
import { clusterObject, type GivenMachine, listed } from './given-machine.ts';
import { ofKind } from './given-objects.ts';

/** What makes and changes Machines of the Cluster in the cluster itself, and is not played here. */
export function makerNotes(view: GivenMachine): string[] {
  const cluster = clusterObject(view);
  const hasTopology = cluster !== undefined && at(cluster, 'spec', 'topology') !== undefined;
  const pools = ofKind(view.management, 'MachinePool')
    .filter((object) => isPool(object, view))
    .map((one) => sayCluster(nameOf(one)));
  const named = poolOf(view);
  const all = [...new Set([...pools, ...(named === undefined ? [] : [named])])];
  return [
    ...(hasTopology
      ? [
          `Cluster ${sayCluster(nameOf(cluster))} has a topology, which is not played, and the answer may differ: ` +
            'its control plane and its sets of Machines stay as they were given',
        ]
      : []),
    ...(all.length > 0
      ? [
          `MachinePools are not played, and the answer may differ: no Machine or Node is made or replaced by ${listed(all)}`,
        ]
      : []),
  ];
}

const isPool = (object: KubeObject, { cluster, group }: GivenMachine): boolean =>
  groupVersionOf(object).group === group &&
  cluster !== undefined &&
  nameOf(object).namespace === cluster.namespace &&
  textAt(object, 'spec', 'clusterName') === cluster.name;

/** The MachinePool that the Machine is of, whether it was given or not. */
function poolOf({ machine }: GivenMachine): string | undefined {
  const owner = machine.metadata.ownerReferences?.find(({ kind }) => kind === 'MachinePool');
  const name = owner?.name ?? machine.metadata.labels?.['cluster.x-k8s.io/pool-name'];
  return name === undefined ? undefined : `${nameOf(machine).namespace}/${name}`;
}
