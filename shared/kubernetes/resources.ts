import type { Resource } from './client.ts';

/** Pods, of the workload cluster. */
export const pods: Resource = { group: '', version: 'v1', plural: 'pods' };

/** Nodes, of the workload cluster. */
export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes' };

/** Namespaces. */
export const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces' };

/** Secrets, of the management cluster: kubeconfigs. */
export const secrets: Resource = { group: '', version: 'v1', plural: 'secrets' };

/** Kubernetes Events. */
export const events: Resource = { group: '', version: 'v1', plural: 'events' };

/** PersistentVolumes, of the workload cluster. */
export const persistentVolumes: Resource = { group: '', version: 'v1', plural: 'persistentvolumes' };

/** Leases. */
export const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' };

/** DaemonSets, of the workload cluster. */
export const daemonSets: Resource = { group: 'apps', version: 'v1', plural: 'daemonsets' };

/** PodDisruptionBudgets, of the workload cluster. */
export const podDisruptionBudgets: Resource = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
};

/** VolumeAttachments, of the workload cluster. */
export const volumeAttachments: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'volumeattachments',
};
