import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { toKey } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import {
  clusterApiPolicies,
  type DeletePolicies,
  openShiftPolicies,
  v1alpha1Policies,
} from './delete-priority.ts';
import type { MachineSet } from './machine-objects.ts';

/** What the controllers of a MachineSet have to know of its API. */
export interface MachineApi {
  group: string;
  machines: string;
  sets: string;
  policies: DeletePolicies;
  policyOf(set: MachineSet): string | undefined;
  /** Somebody has asked that nothing be done to it, or somebody else does it. */
  isPaused(set: MachineSet, world: World): boolean;
}

const named = (group: string) => ({ group, machines: `machines.${group}`, sets: `machinesets.${group}` });

interface Cluster extends KubeObject {
  spec?: { paused?: boolean };
}

export const clusterApi: MachineApi = {
  ...named('cluster.x-k8s.io'),
  policies: clusterApiPolicies,
  policyOf: ({ spec }) => spec?.deletion?.order ?? spec?.deletePolicy,
  isPaused({ metadata, spec }, world) {
    const key = toKey(metadata.namespace, spec?.clusterName ?? '');
    const cluster = world.informer<Cluster>('clusters.cluster.x-k8s.io').get(key);
    const isMarked = metadata.annotations?.['cluster.x-k8s.io/paused'] !== undefined;
    return isMarked || cluster?.spec?.paused === true;
  },
};

export const openShift: MachineApi = {
  ...named('machine.openshift.io'),
  policies: openShiftPolicies,
  policyOf: ({ spec }) => spec?.deletePolicy,
  isPaused: ({ status }) => ['ClusterAPI', 'Migrating'].includes(status?.authoritativeAPI ?? ''),
};

export const v1alpha1: MachineApi = {
  ...named('cluster.k8s.io'),
  policies: v1alpha1Policies,
  policyOf: ({ spec }) => spec?.deletePolicy,
  isPaused: () => false,
};

export const machineApis = [clusterApi, openShift, v1alpha1];
