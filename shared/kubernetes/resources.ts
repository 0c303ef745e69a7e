import type { Resource } from './client.ts';

export const pods: Resource = { group: '', version: 'v1', plural: 'pods' };

export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes' };

export const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces' };

export const secrets: Resource = { group: '', version: 'v1', plural: 'secrets' };

export const events: Resource = { group: '', version: 'v1', plural: 'events' };

export const persistentVolumes: Resource = { group: '', version: 'v1', plural: 'persistentvolumes' };

export const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' };

export const daemonSets: Resource = { group: 'apps', version: 'v1', plural: 'daemonsets' };

export const podDisruptionBudgets: Resource = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
};

export const volumeAttachments: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'volumeattachments',
};
