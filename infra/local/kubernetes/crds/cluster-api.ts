import type { KubeObject } from '../objects/cluster.ts';
import { age, column, condition, customResourceDefinition } from './definition.ts';
import { machineDrainRules } from './installed.ts';
import { machineV1beta1, machineV1beta2 } from './machine-schema.ts';

const group = 'cluster.x-k8s.io';
const categories = ['cluster-api'];
const status = { status: {} };
const phase = column('Phase', '.status.phase');
const paused = condition('Paused', 'Paused', 10);
const wide = 10;

/** Machines as Cluster API defines them: two versions, the newer one stored, `kubectl get` with its columns. */
export const machines = customResourceDefinition({
  group,
  kind: 'Machine',
  shortNames: ['ma'],
  categories,
  versions: [
    {
      name: 'v1beta1',
      isDeprecated: true,
      schema: machineV1beta1,
      subresources: status,
      columns: [
        column('Cluster', '.spec.clusterName'),
        column('NodeName', '.status.nodeRef.name'),
        column('ProviderID', '.spec.providerID'),
        phase,
        age,
        column('Version', '.spec.version'),
      ],
    },
    {
      name: 'v1beta2',
      schema: machineV1beta2,
      subresources: status,
      columns: [
        column('Cluster', '.spec.clusterName'),
        column('Node Name', '.status.nodeRef.name'),
        column('Provider ID', '.spec.providerID', 'string', wide),
        column('Failure domain', '.status.failureDomain'),
        condition('Ready', 'Ready'),
        condition('Available', 'Available'),
        condition('Up-to-date', 'UpToDate'),
        column('Internal-IP', '.status.addresses[?(@.type=="InternalIP")].address', 'string', wide),
        column('External-IP', '.status.addresses[?(@.type=="ExternalIP")].address', 'string', wide),
        column('OS-Image', '.status.nodeInfo.osImage', 'string', wide),
        paused,
        phase,
        age,
        column('Version', '.spec.version'),
      ],
    },
  ],
});

/** Clusters as Cluster API defines them. */
const clusters = customResourceDefinition({
  group,
  kind: 'Cluster',
  shortNames: ['cl'],
  categories,
  versions: [
    {
      name: 'v1beta1',
      isDeprecated: true,
      subresources: status,
      columns: [
        column('ClusterClass', '.spec.topology.class'),
        phase,
        age,
        column('Version', '.spec.topology.version'),
      ],
    },
    {
      name: 'v1beta2',
      subresources: status,
      columns: [
        column('ClusterClass', '.spec.topology.classRef.name'),
        condition('Available', 'Available'),
        column('CP Desired', '.status.controlPlane.desiredReplicas', 'integer'),
        column('CP Current', '.status.controlPlane.replicas', 'integer', wide),
        column('CP Ready', '.status.controlPlane.readyReplicas', 'integer', wide),
        column('CP Available', '.status.controlPlane.availableReplicas', 'integer'),
        column('CP Up-to-date', '.status.controlPlane.upToDateReplicas', 'integer'),
        column('W Desired', '.status.workers.desiredReplicas', 'integer'),
        column('W Current', '.status.workers.replicas', 'integer', wide),
        column('W Ready', '.status.workers.readyReplicas', 'integer', wide),
        column('W Available', '.status.workers.availableReplicas', 'integer'),
        column('W Up-to-date', '.status.workers.upToDateReplicas', 'integer'),
        paused,
        phase,
        age,
        column('Version', '.spec.topology.version'),
      ],
    },
  ],
});

/** The definitions of a Cluster API management cluster that deleting Machines needs. Reading them takes a moment. */
export const clusterApiDefinitions = (): KubeObject[] => [clusters, machines, machineDrainRules()];
