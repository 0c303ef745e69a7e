import type { KubeObject, ObjectMeta, OwnerReference } from '../../kubernetes/objects/cluster.ts';

// Only the fields the controllers look at. Everything is optional, because a stored object may come from a dump of
// a real cluster and the emulated API server is lenient.

export interface Condition {
  type: string;
  status: string;
  severity?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string | null;
  observedGeneration?: number;
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

interface Volume {
  name: string;
  persistentVolumeClaim?: { claimName: string };
}

export interface PodSpec {
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  containers?: { name: string; image?: string }[];
  volumes?: Volume[];
  schedulingGates?: unknown[];
  [field: string]: unknown;
}

export interface Pod extends KubeObject {
  spec?: PodSpec;
  status?: { phase?: string; conditions?: Condition[]; startTime?: string; containerStatuses?: unknown[] };
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; providerID?: string; taints?: Taint[] };
  status?: { conditions?: Condition[]; volumesAttached?: AttachedVolume[]; volumesInUse?: string[] };
}

interface AttachedVolume {
  name: string;
  devicePath: string;
}

export interface PodTemplate {
  metadata?: Partial<ObjectMeta>;
  spec?: PodSpec;
}

/** A Deployment, ReplicaSet, StatefulSet, DaemonSet or Job. */
export interface Workload extends KubeObject {
  spec?: {
    replicas?: number;
    selector?: LabelSelector;
    template?: PodTemplate;
    volumeClaimTemplates?: { metadata: { name: string }; spec?: Record<string, unknown> }[];
    parallelism?: number;
    completions?: number;
    suspend?: boolean;
    paused?: boolean;
  };
  status?: {
    conditions?: Condition[];
    succeeded?: number;
    uncountedTerminatedPods?: { succeeded?: string[] };
    [field: string]: unknown;
  };
}

export interface PodDisruptionBudget extends KubeObject {
  spec?: { selector?: LabelSelector; minAvailable?: number | string; maxUnavailable?: number | string };
  status?: BudgetStatus;
}

export interface BudgetStatus {
  observedGeneration?: number;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  disruptedPods?: Record<string, string>;
  conditions?: Condition[];
}

export interface Claim extends KubeObject {
  spec?: {
    volumeName?: string;
    storageClassName?: string;
    accessModes?: string[];
    resources?: { requests?: Record<string, string> };
  };
  status?: { phase?: string };
}

export interface PersistentVolume extends KubeObject {
  spec?: {
    csi?: { driver: string; volumeHandle: string };
    claimRef?: { namespace?: string; name?: string; uid?: string };
    persistentVolumeReclaimPolicy?: string;
  };
  status?: { phase?: string };
}

export interface VolumeAttachment extends KubeObject {
  spec?: { attacher?: string; nodeName?: string; source?: { persistentVolumeName?: string } };
  status?: { attached?: boolean };
}

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: Condition[] };
}

export interface CustomResourceDefinition extends KubeObject {
  spec?: {
    group?: string;
    names?: { kind?: string; plural?: string };
    versions?: { name?: string; storage?: boolean }[];
  };
}

export function uidOf(object: KubeObject): string {
  return object.metadata.uid ?? '';
}

export function isTerminating(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}
