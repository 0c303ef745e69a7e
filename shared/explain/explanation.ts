import type { MachineRef } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { PlannedPhase } from '../plan/deletion-plan.ts';
import type { HistoryEntry } from '../store/port.ts';
import type { DeletionStatus } from './deletion-status.ts';

/** Whether something ends without anybody who is asked to act. */
export type Ends = 'yes' | 'no' | 'unknown';

/** Which object a cause is about, as kubectl names it. */
export interface CauseObject {
  /** The cluster of the Machines, or that of the Nodes. */
  side: 'management' | 'workload';
  /** `poddisruptionbudgets.policy`. */
  resource: string;
  kind: string;
  namespace?: string;
  name: string;
}

/** One thing that holds a deletion, or would hold it. Times are RFC 3339. */
export interface Cause {
  kind:
    | 'pause'
    | 'invalid'
    | 'hook'
    | 'policy'
    | 'budget'
    | 'eviction'
    | 'namespace'
    | 'pod'
    | 'return'
    | 'volume'
    | 'infrastructure'
    | 'bootstrap'
    | 'node'
    | 'finalizers'
    | 'carrier'
    | 'failure'
    | 'unread';
  /** Of a refused eviction why, as `plan` and the history have it. Of Pods that must complete their behavior. */
  code?: string;
  /** Of what is to come; absent where it keeps everything from the Machine. */
  phase?: Phase;
  /** In one sentence. */
  what: string;
  object?: CauseObject;
  /** The annotation, or the name in the Machine's list, that is the hook. */
  hook?: string;
  /** Who keeps that object, or has to act. */
  owner?: string;
  /** Of a budget: needs, has, allows, expects. Of others: seconds. */
  numbers?: Readonly<Record<string, number>>;
  /** What else is known, a line each: conditions, Pods, finalizers. */
  details: readonly string[];
  endsByItself: Ends;
  why: string;
}

/** A command to copy. The harmless come first, and one that gets round what holds comes last, with what it costs. */
export interface Advice {
  does: 'looks' | 'changes' | 'destroys';
  command: string;
  /** What it shows, or what it changes. */
  why: string;
  costs?: string;
}

/** When a step is given up. Times are RFC 3339. */
export interface Limit {
  phase: Phase;
  seconds: number;
  at?: string;
  afterwards: string;
}

/** One line of a deletion's history. */
export interface Tried {
  at: string;
  phase: string;
  what: HistoryEntry['what'];
  reason: string;
  message: string;
  by: string;
}

/**
 * Everything to say of one Machine: where it stands, what holds it, and whether that ends by itself. Then when it is given
 * up, what to do, and what was tried.
 */
export interface Explanation {
  machine: MachineRef;
  /** `alive`: it is not being deleted, and the rest is what would hold it. `unknown`: what decides was not read. */
  verdict: 'held' | 'progressing' | 'unknown' | 'alive';
  /** Absent for a Machine that is not being deleted. */
  standing?: DeletionStatus;
  phases: readonly PlannedPhase[];
  causes: readonly Cause[];
  endsByItself: { answer: Ends; why: string };
  /** Steps with a time limit that are not over; empty where none has one. */
  givenUp: readonly Limit[];
  advice: readonly Advice[];
  /** Absent where no history was read. */
  tried?: readonly Tried[];
  /** What will hold it in a later phase, a sentence each; empty for a living Machine. */
  later: readonly string[];
  /** DeletionHooks that select it and ask nothing for it, and why, a sentence each; absent where there is none. */
  unasked?: readonly string[];
  /** What could not be read, a sentence each. */
  unread: readonly string[];
  /** What would matter and was not read. */
  unsure: readonly string[];
}
