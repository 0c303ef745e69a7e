import { besideClusterApi } from '../../shared/dialects/beside/cluster-api.ts';
import { besideOpenShift } from '../../shared/dialects/beside/openshift.ts';
import type { BesideOptions } from '../../shared/dialects/beside/registration.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';

/** An installation beside Cluster API's own controller, as it is by default. */
export const anInstallation = (options: Partial<BesideOptions> = {}): BesideOptions => ({
  installation: '',
  hooksAfter: [],
  selects: () => true,
  controlPlanes: false,
  machinePools: false,
  drainsExcluded: false,
  ...options,
});

/** Cluster API beside its own controller. */
export const beside = (options: Partial<BesideOptions> = {}): Dialect =>
  besideClusterApi(clusterApi, anInstallation(options));

/** OpenShift beside its own controllers. */
export const besideOfOpenShift = (options: Partial<BesideOptions> = {}): Dialect =>
  besideOpenShift(openShift, anInstallation(options));

export const ourHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';
