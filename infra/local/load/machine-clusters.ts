import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { textAt } from '../kubernetes/server/json.ts';
import { isMachine } from './machine-version.ts';

const v1alpha1Group = 'cluster.k8s.io';
const v1alpha1Label = 'cluster.k8s.io/cluster-name';

/** The Cluster that a Machine is of, as it would be if all that is known of it is that it exists. */
export function clusterOf(machine: KubeObject): KubeObject[] {
  if (isMachine(machine)) return clusterApiCluster(machine);
  const isOfV1alpha1 = machine.kind === 'Machine' && groupVersionOf(machine).group === v1alpha1Group;
  const name = machine.metadata.labels?.[v1alpha1Label] ?? '';
  return isOfV1alpha1 && name !== '' ? [cluster(machine, name, {})] : [];
}

function clusterApiCluster(machine: KubeObject): KubeObject[] {
  const name = textAt(machine, 'spec', 'clusterName');
  if (name === '') return [];
  // A Cluster without a control plane is one whose Nodes must not be touched.
  const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'ControlPlane', name };
  return [cluster(machine, name, { controlPlaneRef })];
}

const cluster = ({ apiVersion = '', metadata }: KubeObject, name: string, spec: object): KubeObject => ({
  apiVersion,
  kind: 'Cluster',
  metadata: { name, namespace: metadata.namespace ?? 'default' },
  spec,
});
