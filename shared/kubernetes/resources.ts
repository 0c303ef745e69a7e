import type { Resource } from './client.ts';

const served = (group: string, plural: string): Resource => ({ group, version: 'v1', plural });

/** Pods, of the workload cluster. */
export const pods: Resource = served('', 'pods');

/** Nodes, of the workload cluster. */
export const nodes: Resource = served('', 'nodes');

/** Namespaces. */
export const namespaces: Resource = served('', 'namespaces');

/** Secrets, of the management cluster: kubeconfigs. */
export const secrets: Resource = served('', 'secrets');

/** Kubernetes Events. */
export const events: Resource = served('', 'events');

/** PersistentVolumes, of the workload cluster. */
export const persistentVolumes: Resource = served('', 'persistentvolumes');

/** Leases. */
export const leases: Resource = served('coordination.k8s.io', 'leases');

/** DaemonSets, of the workload cluster. */
export const daemonSets: Resource = served('apps', 'daemonsets');

/** PodDisruptionBudgets, of the workload cluster. */
export const podDisruptionBudgets: Resource = served('policy', 'poddisruptionbudgets');

/** VolumeAttachments, of the workload cluster. */
export const volumeAttachments: Resource = served('storage.k8s.io', 'volumeattachments');

/** Deployments, of the workload cluster. */
export const deployments: Resource = served('apps', 'deployments');

/** ReplicaSets, of the workload cluster. */
export const replicaSets: Resource = served('apps', 'replicasets');

/** PersistentVolumeClaims, of the workload cluster. */
export const persistentVolumeClaims: Resource = served('', 'persistentvolumeclaims');
