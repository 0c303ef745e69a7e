import type { KubeObject, Pod } from './objects.ts';

/** A kind of object as the API serves it. `version` and `plural` come from the reference or from discovery. */
export interface Resource {
  group: string;
  version: string;
  plural: string;
}

/** Name of an object, and its namespace where it has one. */
export interface Key {
  namespace?: string;
  name: string;
}

/** Which objects of a resource are meant. */
export interface Selection {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
}

/** What became of a conditional write. */
export type WriteOutcome =
  | { kind: 'written'; object: KubeObject }
  /** The object changed since it was read, or a JSON-Patch test failed: read it again. */
  | { kind: 'conflict'; message: string }
  | { kind: 'gone' }
  | { kind: 'refused'; code: number; message: string };

/** What became of a delete. */
export type DeleteOutcome =
  /** The API answered that nothing of that name and UID is left. */
  | { kind: 'gone' }
  /** Marked; finalizers or a grace period still hold it. */
  | { kind: 'deleting'; object: KubeObject }
  /** Another object has taken the name: the one that was meant is gone. */
  | { kind: 'replaced' }
  | { kind: 'refused'; code: number; message: string };

/** The answer to one eviction. */
export type EvictionAnswer =
  | { kind: 'accepted' }
  | { kind: 'gone' }
  /** A new Pod of that name is there; the one that was meant is gone. */
  | { kind: 'replaced' }
  | Refusal;

/** A Pod to evict; the UID in its metadata is the one that is meant. */
export interface Eviction {
  pod: Pod;
  /** Overrides the Pod's own grace period, in seconds. */
  gracePeriodSeconds?: number;
}

/** Objects, and the version of the list that a watch can go on from. */
export interface ObjectList {
  items: KubeObject[];
  resourceVersion: string;
}

/** What a watch says of an object. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Hears of changes, and of the end of the watch. */
export interface WatchListener {
  changed(type: ChangeType, object: KubeObject): void;
  /** The stream is over, for whatever reason; nothing follows. `expired`: the resourceVersion was too old. */
  ended(expired: boolean): void;
}

/**
 * One API server. Reads answer what is there now (quorum reads); `undefined` means the API said NotFound about
 * this very object. Everything that leaves doubt throws Unavailable.
 */
export interface Kubernetes {
  get(resource: Resource, key: Key): Promise<KubeObject | undefined>;
  /** All pages. Of a large list nothing is held but what `hold` makes of each object. */
  list(
    resource: Resource,
    selection?: Selection,
    hold?: (object: KubeObject) => KubeObject | undefined,
  ): Promise<ObjectList>;
  /** JSON merge patch; a `metadata.resourceVersion` in it makes the write conditional. */
  mergePatch(resource: Resource, key: Key, patch: object, subresource?: 'status'): Promise<WriteOutcome>;
  jsonPatch(
    resource: Resource,
    key: Key,
    operations: JsonPatchOperation[],
    subresource?: 'status',
  ): Promise<WriteOutcome>;
  create(resource: Resource, object: KubeObject): Promise<WriteOutcome>;
  /** Deletes the object with this UID and no other. */
  delete(resource: Resource, key: Key, uid: string): Promise<DeleteOutcome>;
  evict(eviction: Eviction): Promise<EvictionAnswer>;
  /** Starts after `resourceVersion`. Returns the way to stop; `ended` is not called after that. */
  watch(
    resource: Resource,
    selection: Selection,
    resourceVersion: string,
    listener: WatchListener,
  ): () => void;
  /**
   * The served resource of a kind; undefined when the API says there is no such group or kind.
   * `version` asks for that version, otherwise the preferred one is taken. With `absence` kept, an overview of some
   * minutes ago may say that there is none. Otherwise a missing kind is asked for again within seconds.
   */
  discover(group: string, kind: string, version?: string, absence?: 'kept'): Promise<Resource | undefined>;
}

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: 'test' | 'add' | 'replace'; path: string; value: unknown }
  | { op: 'remove'; path: string };

/** The API of a workload cluster, with the eviction limit that all Machines of the cluster share. */
export interface WorkloadCluster extends Kubernetes {
  /**
   * Evicts as fast as the cluster's limit allows, time-boxed: those whose turn has not come by then are answered
   * NotAttempted. By Pod UID.
   */
  evictAll(evictions: Eviction[]): Promise<ReadonlyMap<string, EvictionAnswer>>;
}

/** Where a Machine's Node lives. */
export type WorkloadRef =
  /** In the API that has the Machine. */
  | { kind: 'here' }
  /** In a cluster of its own, behind the `<cluster>-kubeconfig` Secret in this namespace. */
  | { kind: 'cluster'; namespace: string; clusterName: string };

/** Tells one workload cluster from another. */
export const workloadName = (ref: WorkloadRef): string =>
  ref.kind === 'here' ? 'here' : `${ref.namespace}/${ref.clusterName}`;

/** The clusters that Machines' Nodes live in. */
export interface WorkloadClusters {
  /**
   * The API of a workload cluster. Throws NoCredentials when its Secret is missing or broken, naming it. Throws Unavailable
   * when the cluster has just proved to be down.
   */
  of(workload: WorkloadRef): Promise<WorkloadCluster>;
}

/** Which of the two clusters: where the Machine object lives, or where its Node lives. */
export type Side = 'management' | 'workload';

/** Why an eviction was refused. */
export type RefusalCause =
  /** The disruption budget allows none at the moment. */
  | 'BudgetExhausted'
  /** The disruption budget's own numbers can never allow one (for example maxUnavailable 0). */
  | 'BudgetNeverAllows'
  /** The same, but an operator keeps the budget or the Pod. It lets go once it has moved what runs there. */
  | 'BudgetHeldByOperator'
  /** The budget's status is older than its spec: the API asks for a pause. */
  | 'BudgetNotObserved'
  /** More than one budget selects the Pod; only a person can resolve that. */
  | 'MultipleBudgets'
  | 'NamespaceTerminating'
  /** An admission webhook denies it, with any status. It speaks of this Pod alone, and may let it go later. */
  | 'AdmissionWebhook'
  /** The API server, not a budget, asks to slow down. */
  | 'Throttled'
  /** Our own time for this look was used up before the call. */
  | 'NotAttempted'
  | 'Failed';

/** The answer to an eviction that was refused. */
export interface Refusal {
  kind: 'refused';
  cause: RefusalCause;
  /** The API's own words. */
  text: string;
  budget?: string;
  /** Ours, of what the budget itself says beyond that. */
  explanation?: string;
  /** The text with verb, path, host and code, for the log, where that says more. */
  detail?: string;
  retryAfterSeconds?: number;
}
