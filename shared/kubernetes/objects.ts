/** The parts of Kubernetes objects that a deletion looks at. Everything else travels along untouched. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** The metadata that phaseout reads. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  /** In what is on its way: what it was given last. */
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  [field: string]: unknown;
}

/** An entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** A condition of the form core Kubernetes and Cluster API v1beta2 use. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  severity?: string;
  lastTransitionTime?: string;
  /** Of Nodes alone. */
  lastHeartbeatTime?: string;
  observedGeneration?: number;
}

/** The fields of a Node that phaseout reads. */
export interface Node extends KubeObject {
  spec?: { providerID?: string; unschedulable?: boolean; taints?: Taint[] };
  status?: { conditions?: Condition[]; volumesAttached?: { name: string; devicePath?: string }[] };
}

/** A taint of a Node. */
export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

/** Without a key, and with the operator Exists, it is for every taint. */
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

/** The fields of a Pod that phaseout reads. */
export interface Pod extends KubeObject {
  spec?: {
    nodeName?: string;
    tolerations?: Toleration[];
    volumes?: { name?: string; emptyDir?: unknown; persistentVolumeClaim?: { claimName: string } }[];
  };
  status?: { phase?: string; conditions?: Condition[] };
}

/** The fields of a PodDisruptionBudget that phaseout reads. */
export interface PodDisruptionBudget extends KubeObject {
  spec?: {
    minAvailable?: number | string;
    maxUnavailable?: number | string;
    selector?: LabelSelector;
    unhealthyPodEvictionPolicy?: string;
  };
  status?: {
    currentHealthy?: number;
    desiredHealthy?: number;
    disruptionsAllowed?: number;
    expectedPods?: number;
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

/** The fields of a PersistentVolume that phaseout reads. */
export interface PersistentVolume extends KubeObject {
  spec?: {
    claimRef?: { kind?: string; namespace?: string; name?: string };
    csi?: { driver: string; volumeHandle: string };
  };
}

/** The fields of a VolumeAttachment that phaseout reads. */
export interface VolumeAttachment extends KubeObject {
  spec?: { nodeName?: string; attacher?: string; source?: { persistentVolumeName?: string } };
  status?: { attached?: boolean; detachError?: { message?: string; time?: string } };
}

/** As written by users: nothing in it is trusted before it was parsed. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** The fields of Cluster API's MachineDrainRule. */
export interface MachineDrainRule extends KubeObject {
  spec?: {
    drain?: { behavior?: string; order?: number };
    machines?: { selector?: LabelSelector; clusterSelector?: LabelSelector }[];
    pods?: { selector?: LabelSelector; namespaceSelector?: LabelSelector }[];
  };
}
