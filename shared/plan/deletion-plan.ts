import type { Behavior } from '../drain/verdict.ts';
import type { RefusalCause } from '../kubernetes/client.ts';
import type { Toleration } from '../kubernetes/objects.ts';
import type { HookPlace } from '../machine/hook-call.ts';
import type { Phase } from '../machine/phase.ts';
import type { Reason } from '../machine/reason.ts';

/** What deleting a Machine would do, or what is left to do, as data. */
export interface DeletionPlan {
  machine: { apiVersion: string; namespace: string; name: string; uid: string };
  /** The phase that its deletion has come to and when that began (RFC 3339); absent while it has not begun. */
  stands?: { phase: Phase; since: string };
  /** What keeps everything from the Machine as it is now. */
  held: PlannedHold[];
  phases: PlannedPhase[];
  pods: PlannedPod[];
  /** In the order in which they would be evicted. */
  batches: PlannedBatch[];
  /** What the API would refuse if the first batch were evicted now. */
  refusals: PlannedRefusal[];
  /** Of later batches what it would refuse until somebody changes what refuses it; absent where nothing. */
  refusalsAhead?: PlannedRefusalAhead[];
  volumes: PlannedVolume[];
  hooks: PlannedHook[];
  /** DeletionHooks that are for the Machine and that it has not passed; absent where there is none. */
  functions?: PlannedFunction[];
  /** How long steps that are to come may take. Absent where none has a time limit: each is tried until it succeeds. */
  limits?: PlannedLimit[];
  /** The Node's kubelet cannot be reached. */
  unreachable?: PlannedUnreachable;
  /** Pods that come back although the Node is cordoned; absent where none does. */
  returning?: PlannedReturn[];
  /** Attached to the Node, and not waited for; absent where nothing is. */
  unawaited?: PlannedUnawaited[];
  /** Namespaces of Pods that have to go, where they are being deleted; absent where none is. */
  namespaces?: PlannedNamespace[];
  /** What would matter and was not read: parts of the plan may be otherwise; absent where all was read. */
  unsure?: string[];
  /** What the Machine would show of its drain while Pods are left; empty when none has to go. */
  message: string;
}

/** Why nothing is done to the Machine. */
export interface PlannedHold {
  reason: Reason;
  message: string;
  /** What people should know who would end it. */
  remarks?: readonly string[];
}

/** What a deletion would do in one phase. */
export interface PlannedPhase {
  phase: Phase;
  /**
   * `pass`: visited but nothing to do. `skip`: not for this Machine. `passed`: the deletion has left it behind. `unknown`:
   * what it depends on was not given.
   */
  does: 'work' | 'wait' | 'pass' | 'skip' | 'passed' | 'unknown';
  why: string;
  /** Set where a DrainPolicy holds it: the Machine shows this reason then. */
  reason?: 'WaitingForDrainPolicy';
}

/** What a drain does with a Pod, and what decides that. */
export interface PlannedPod {
  namespace: string;
  name: string;
  behavior: Behavior;
  order: number;
  decidedBy: string;
  warnings: string[];
  /** Waited for, and run to its end: nothing waits for it any more. */
  hasCompleted?: true;
}

interface PlannedBatch {
  order: number;
  /** `namespace/name`. */
  pods: string[];
}

/** An eviction that would be refused, and why. */
export interface PlannedRefusal {
  pod: string;
  /** `Unknown`: nothing has computed the budget where the plan is made. */
  cause: RefusalCause | 'Unknown';
  message: string;
  budget?: string;
  /** Who keeps the budget, or why it cannot be computed. */
  explanation?: string;
  /** What a DrainPolicy does about it, by its name, and what keeps it from that; absent where none does anything. */
  action?: string;
}

/** An eviction of a later batch that will be refused. */
export interface PlannedRefusalAhead extends PlannedRefusal {
  /** From 1 on. */
  batch: number;
}

/** A volume that would be waited for. */
export interface PlannedVolume {
  kind: 'PersistentVolumeClaim' | 'PersistentVolume' | 'NodeVolume' | 'VolumeAttachment';
  /** Of a VolumeAttachment its own. */
  name: string;
  /** Of a VolumeAttachment. */
  persistentVolume?: string;
  /** Of a VolumeAttachment of a dump without PersistentVolumes: whether there is that one is unknown. */
  isVolumeGiven?: false;
  /** The VolumeAttachment of a claim or a volume that does not come off. */
  attachment?: string;
  /** What the attacher said when it last tried to detach it. */
  detachError?: string;
}

/** A time limit of a step that is to come. Times are RFC 3339. */
export interface PlannedLimit {
  phase: Phase;
  seconds: number;
  /** Since when its time counts (RFC 3339); absent while it has not begun. */
  since?: string;
  /** When it is given up (RFC 3339); absent while it has not begun. */
  givenUpAt?: string;
  /** Until then; all of it while it has not begun. */
  leftSeconds: number;
  /** What happens when it is given up. */
  afterwards: string;
}

/** A Node whose kubelet cannot be reached. */
export interface PlannedUnreachable {
  node: string;
  /** RFC 3339; absent where the Node does not say. */
  since?: string;
  /** What it changes; empty where nothing depends on it any more. */
  changes: string[];
}

export interface PlannedReturn {
  /** `namespace/name`. */
  pod: string;
  /** With which it may be scheduled there although the Node is cordoned. */
  toleration?: Toleration;
  /** What makes it on this very Node: `ReplicaSet shop/web`, by `nodeName` in its template. */
  pinnedBy?: string;
}

/** A volume that would not be waited for, and why. */
export interface PlannedUnawaited extends PlannedVolume {
  why: string;
}

export interface PlannedNamespace {
  name: string;
  reason: 'NamespaceTerminating';
  /** When it was asked to go (RFC 3339). */
  since: string;
  /** What keeps it, as far as its conditions say. */
  remaining: string[];
}

/** A hook that will have to go first. */
export interface PlannedHook {
  point: 'pre-drain' | 'pre-terminate';
  name: string;
  /** Who has to remove it, as far as the hook says so. */
  owner?: string;
  /** What a DeletionHook says of it: who can help, where it says how, and when its owner counts as silent. */
  contact?: string;
  runbook?: string;
  silentAfterSeconds?: number;
}

/** A DeletionHook that the Machine has before it. */
export interface PlannedFunction {
  place: HookPlace;
  /** Absent where it is unknown which one is for the Machine. */
  hook?: string;
  /** Who can help, and where it says how. */
  contact?: string;
  runbook?: string;
  /** How long a Machine waits for it at most; absent where it does not go on without an answer. */
  proceedsAfterSeconds?: number;
  /** Why its function is not asked for this Machine; absent where it is. */
  whyNot?: string;
  /** Why it is unknown whether it is for the Machine, which waits until that is known. */
  unclear?: string;
}
