import type {
  Taint as KubernetesTaint,
  LabelSelector,
  Toleration,
} from '../../../../shared/kubernetes/objects.ts';
import type { Instant } from '../../../../shared/time/clock.ts';
import { objectKey } from '../../kubernetes/discovery/resource.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../kubernetes/objects/cluster.ts';

// Only the fields the controllers look at. All are optional: an object may come from a dump, and the API server here
// is lenient.

export type { LabelSelector, Toleration, VolumeAttachment } from '../../../../shared/kubernetes/objects.ts';

export interface Condition {
  type: string;
  status: string;
  severity?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string | null;
  observedGeneration?: number;
}

/** Controllers say when they have set it. */
export interface Taint extends KubernetesTaint {
  timeAdded?: string;
}

export interface PodSpec {
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  containers?: { name: string; image?: string }[];
  volumes?: { name: string; persistentVolumeClaim?: { claimName: string } }[];
  schedulingGates?: unknown[];
  [field: string]: unknown;
}

export interface Pod extends KubeObject {
  spec?: PodSpec;
  status?: { phase?: string; conditions?: Condition[]; startTime?: string; containerStatuses?: unknown[] };
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; providerID?: string; taints?: Taint[] };
  status?: { conditions?: Condition[]; volumesAttached?: { name: string }[]; volumesInUse?: string[] };
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
    strategy?: {
      type?: string;
      rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string };
    };
    progressDeadlineSeconds?: number;
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

/** The key of a queue and of an informer: `namespace/name`, or the name alone for what has no namespace. */
export const toKey = objectKey;

export function keyOf(object: KubeObject): string {
  return toKey(object.metadata.namespace, object.metadata.name);
}

export function fromKey(key: string): { namespace: string | undefined; name: string } {
  const slash = key.indexOf('/');
  if (slash < 0) return { namespace: undefined, name: key };
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** A time as metav1.Time writes it: RFC 3339, whole seconds. */
export function toTime(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

type Conditions = readonly Condition[] | undefined;

export function conditionOf(conditions: Conditions, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isTrue(conditions: Conditions, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}

/** The list with one condition set in its place; its transition time moves only when its status does. */
export function withCondition(conditions: Conditions, wanted: Condition, now: Instant): Condition[] {
  const before = conditionOf(conditions, wanted.type);
  const since = before?.status === wanted.status ? before.lastTransitionTime : undefined;
  const set: Condition = { ...wanted, lastTransitionTime: since ?? toTime(now) };
  if (before === undefined) return [...(conditions ?? []), set];
  return (conditions ?? []).map((condition) => (condition.type === wanted.type ? set : condition));
}

/** The list with several set. */
export const withConditions = (
  conditions: Conditions,
  wanted: readonly Condition[],
  now: Instant,
): Condition[] => wanted.reduce((list, one) => withCondition(list, one, now), [...(conditions ?? [])]);

/** A number of seconds from an annotation; undefined when it is absent or no number. */
export function secondsFrom(object: KubeObject, annotation: string): number | undefined {
  const text = object.metadata.annotations?.[annotation];
  const seconds = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
