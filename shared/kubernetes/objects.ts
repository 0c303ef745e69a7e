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

interface Container {
  name: string;
  ports?: { hostPort?: number }[];
}

/** The fields of a Pod that phaseout reads. */
export interface Pod extends KubeObject {
  spec?: {
    nodeName?: string;
    tolerations?: Toleration[];
    volumes?: { name?: string; emptyDir?: unknown; persistentVolumeClaim?: { claimName: string } }[];
    containers?: Container[];
    initContainers?: Container[];
  };
  status?: {
    phase?: string;
    conditions?: Condition[];
    containerStatuses?: { name: string; state?: { running?: unknown } }[];
  };
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

/**
 * Whether the kubelet is not heard: the first condition of type Ready is Unknown. A Node without that condition, or with a
 * False one, is reachable.
 */
export const isUnreachable = (node: Node): boolean => readyOf(node)?.status === 'Unknown';

/** Since when, as far as that condition says (RFC 3339). */
export const unreachableSince = (node: Node): string | undefined =>
  isUnreachable(node) ? readyOf(node)?.lastTransitionTime : undefined;

const readyOf = ({ status }: Node | Pod): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready');

/** `namespace/name`, the bare name where there is no namespace: as messages show Pods, and as they are sorted. */
export const podName = ({ metadata: { namespace, name } }: Pod): string =>
  namespace ? `${namespace}/${name}` : name;

/** `namespace/name` of the claims that a Pod uses. */
export const claimsOf = ({ metadata, spec }: Pod): string[] =>
  (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim ? [`${metadata.namespace ?? ''}/${persistentVolumeClaim.claimName}`] : [],
  );

/** UID of the Pod; empty where it has none. */
export const uidOf = (pod: Pod): string => pod.metadata.uid ?? '';

/** It has run to its end, well or badly; its object may still be there. */
export const isFinished = (pod: Pod): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Whether the object has a deletionTimestamp. */
export const isTerminating = ({ metadata }: { metadata: { deletionTimestamp?: string } }): boolean =>
  metadata.deletionTimestamp !== undefined;

/** Whether the Pod's condition Ready is True. */
export const isReady = (pod: Pod): boolean => readyOf(pod)?.status === 'True';

/** The owner that answers for it, if it has one. */
export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find((owner) => owner.controller === true);

/** `cluster.x-k8s.io` and `v1beta2`; the group of core kinds is empty. */
export function groupVersionOf({ apiVersion = '' }: Pick<KubeObject, 'apiVersion'>): {
  group: string;
  version: string;
} {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1) };
}

/** Whether a JSON value is an object: neither null nor an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
