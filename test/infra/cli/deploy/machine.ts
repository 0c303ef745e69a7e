import type { KubernetesForTools } from '../../../../shared/adapters/kubernetes/install-client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { Cluster } from './knative-cluster.ts';

const capi = 'machines.cluster.x-k8s.io';

/** A Machine of Cluster API, being deleted where that is said. */
export function aMachine(
  { cluster }: Cluster,
  name: string,
  { isDeleted = true, ...metadata }: MachineOptions = {},
) {
  if (cluster.get('namespaces', undefined, 'fleet') === undefined) {
    cluster.create('namespaces', { metadata: { name: 'fleet' } });
  }
  const machine = cluster.create(capi, {
    metadata: { name, namespace: 'fleet', finalizers: ['machine.cluster.x-k8s.io'], ...metadata },
    spec: {
      clusterName: 'blue',
      bootstrap: { dataSecretName: 'x' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachine', name },
    },
  });
  if (isDeleted) cluster.remove(capi, machine);
}

export interface MachineOptions {
  isDeleted?: boolean;
  namespace?: string;
  finalizers?: string[];
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
}

/** Machines may not be listed. */
export const withoutMachines = (kubernetes: KubernetesForTools): KubernetesForTools => ({
  ...kubernetes,
  list: (resource, selection) =>
    resource.plural === 'machines'
      ? Promise.reject(new Unavailable('forbidden'))
      : kubernetes.list(resource, selection),
});
