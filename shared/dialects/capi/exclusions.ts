import type { Machine } from '../../machine/machine.ts';

export const excludeDrain = 'machine.cluster.x-k8s.io/exclude-node-draining';
export const excludeVolumeWait = 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach';

/** Presence counts: a value of `"false"` excludes too. */
export const isDrainExcluded = (machine: Machine): boolean => excludeDrain in machine.annotations;

/** Presence counts: a value of `"false"` excludes too. */
export const isVolumeWaitExcluded = (machine: Machine): boolean => excludeVolumeWait in machine.annotations;
