import type { RefusalCause } from '../kubernetes/refusal.ts';
import type { Behavior } from '../drain/verdict.ts';
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
  volumes: PlannedVolume[];
  hooks: PlannedHook[];
  /** What the Machine would show of its drain while Pods are left; empty when none has to go. */
  message: string;
}

export interface PlannedHold {
  reason: Reason;
  message: string;
}

export interface PlannedPhase {
  phase: Phase;
  /**
   * `pass`: visited but nothing to do; `skip`: not for this Machine; `passed`: the deletion has left it behind; `unknown`:
   * what it depends on was not given.
   */
  does: 'work' | 'wait' | 'pass' | 'skip' | 'passed' | 'unknown';
  why: string;
}

export interface PlannedPod {
  namespace: string;
  name: string;
  behavior: Behavior;
  order: number;
  decidedBy: string;
  warnings: string[];
}

interface PlannedBatch {
  order: number;
  /** `namespace/name`. */
  pods: string[];
}

export interface PlannedRefusal {
  pod: string;
  /** `Unknown`: nothing has computed the budget where the plan is made. */
  cause: RefusalCause | 'Unknown';
  message: string;
  budget?: string;
  /** Who keeps the budget, or why it cannot be computed. */
  explanation?: string;
}

export interface PlannedVolume {
  kind: 'PersistentVolumeClaim' | 'PersistentVolume' | 'NodeVolume' | 'VolumeAttachment';
  name: string;
}

export interface PlannedHook {
  point: 'pre-drain' | 'pre-terminate';
  name: string;
  /** Who has to remove it, as far as the hook says so. */
  owner?: string;
}
