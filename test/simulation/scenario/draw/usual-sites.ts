import { management } from '../../platform/clusters.ts';
import type { Site } from './draft.ts';

/** Of Cluster API. */
export const blueSite: Site = { api: 'capi', namespace: 'fleet', cluster: 'blue', host: 'blue', workers: 1 };

/** OpenShift has its Machines where their Nodes are. */
export const openShiftSite: Site = {
  api: 'openshift',
  namespace: 'openshift-machine-api',
  cluster: undefined,
  host: management,
  workers: 1,
};

export const originalSite: Site = { ...blueSite, api: 'v1alpha1' };
