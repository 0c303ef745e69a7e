import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { type Condition, type LabelSelector, type Taint, toKey } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

/** What the controllers of a MachineSet have to know of its API. */
export interface MachineApi {
  group: string;
  machines: string;
  sets: string;
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
  policyOf: ({ spec }) => spec?.deletePolicy,
  isPaused: ({ status }) => ['ClusterAPI', 'Migrating'].includes(status?.authoritativeAPI ?? ''),
};

export const v1alpha1: MachineApi = {
  ...named('cluster.k8s.io'),
  policyOf: ({ spec }) => spec?.deletePolicy,
  isPaused: () => false,
};

export const machineApis = [clusterApi, openShift, v1alpha1];

export interface Hook {
  name: string;
  owner: string;
}

/** A Machine of any of the Machine APIs: each has some of these fields. */
export interface Machine extends KubeObject {
  spec?: {
    clusterName?: string;
    providerID?: string;
    lifecycleHooks?: { preDrain?: Hook[]; preTerminate?: Hook[] };
    metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
    taints?: Taint[];
    versions?: { controlPlane?: string };
    infrastructureRef?: unknown;
    [field: string]: unknown;
  };
  status?: {
    addresses?: unknown[];
    conditions?: Condition[];
    v1beta2?: { conditions?: Condition[] };
    deprecated?: { v1beta1?: { conditions?: Condition[] } };
    deletion?: Record<string, string>;
    nodeRef?: { name?: string; uid?: string };
    phase?: string;
    lastUpdated?: string;
    errorReason?: string;
    errorMessage?: string;
  };
}

export interface MachineSet extends KubeObject {
  spec?: {
    clusterName?: string;
    replicas?: number;
    deletePolicy?: string;
    deletion?: { order?: string };
    selector?: LabelSelector;
    template?: {
      metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
      spec?: Record<string, unknown>;
    };
  };
  status?: { authoritativeAPI?: string; [field: string]: unknown };
}

/** Infrastructure objects carry whatever their provider likes; only the provider id ties them to a Node. */
export interface Infrastructure extends KubeObject {
  spec?: { providerID?: string };
}
