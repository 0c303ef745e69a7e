import { isRecord, type KubeObject } from '../../kubernetes/objects.ts';

/** Which Machines a plan of many is about: those that meet all of this. */
export interface MachineSelection {
  namespace?: string;
  labelSelector?: string;
  cluster?: string;
  machineDeployment?: string;
  machineSet?: string;
}

/** Whether a Machine is meant, as far as a list does not choose it by its namespace and its labels. */
export function isMeant(
  machine: KubeObject,
  { cluster, machineDeployment, machineSet }: MachineSelection,
): boolean {
  return (
    (cluster === undefined || isOfCluster(machine, cluster)) &&
    (machineDeployment === undefined ||
      machine.metadata.labels?.['cluster.x-k8s.io/deployment-name'] === machineDeployment) &&
    (machineSet === undefined || isOfSet(machine, machineSet))
  );
}

const clusterLabels = [
  'cluster.x-k8s.io/cluster-name',
  'machine.openshift.io/cluster-api-cluster',
  'cluster.k8s.io/cluster-name',
];

function isOfCluster({ metadata, spec }: KubeObject, wanted: string): boolean {
  const { namespace = '', labels = {} } = metadata;
  const named = isRecord(spec) ? spec['clusterName'] : undefined;
  const names = [named, ...clusterLabels.map((label) => labels[label])];
  return names.some(
    (name) => typeof name === 'string' && (name === wanted || `${namespace}/${name}` === wanted),
  );
}

const isOfSet = ({ metadata }: KubeObject, name: string): boolean =>
  (metadata.ownerReferences ?? []).some((owner) => owner.kind === 'MachineSet' && owner.name === name);
