import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import type { Condition, LabelSelector, Taint } from '../machinery/objects.ts';

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
