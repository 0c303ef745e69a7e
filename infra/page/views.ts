import type { DeletionStatus } from '../../shared/explain/deletion-status.ts';
import type { Explanation } from '../../shared/explain/explanation.ts';
import type { FleetPlan } from '../../shared/explain/fleet/fleet-plan.ts';
import type { Verdict } from '../../shared/explain/fleet/verdict.ts';
import type { WorkloadRef } from '../../shared/kubernetes/client.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import type { DeletionPlan } from '../../shared/plan/deletion-plan.ts';
import type { HistoryEntry } from '../../shared/store/port.ts';
import type { Instant } from '../../shared/time/clock.ts';

/** What the server sends and the client shows. Both sides know these types, and nothing else of one another. */

export type StepState = 'passed' | 'here' | 'skipped' | 'ahead';

export interface StepView {
  phase: Phase;
  state: StepState;
}

/** How a Machine is addressed on the page. */
export interface MachineName {
  api: string;
  namespace: string;
  name: string;
}

/** Where a deletion stands, and its phases as a row. */
export interface DeletingView extends MachineName {
  standing: DeletionStatus;
  steps: StepView[];
  /** Absent where that is unknown. */
  nodesIn?: WorkloadRef;
}

export interface LivingView extends MachineName {
  /** Where it names one. */
  cluster?: string;
  /** Of its status. */
  phase?: string;
  node?: string;
}

/** When a Machine went. */
export interface Went {
  /** Then; where there is an `after`, at the latest then. */
  at: Instant;
  /** It was still there then. Absent where it was seen to go. */
  after?: Instant;
}

export interface GoneView extends MachineName {
  /** Where it named one. */
  cluster?: string;
  went: Went;
  /** Since it was asked to go; absent where that was not seen. */
  seconds?: number;
}

/** A DeletionHook that asks nothing for Machines that are being deleted, and why. */
export interface UnaskedView {
  namespace: string;
  text: string;
}

export interface OverviewView {
  kind: 'overview';
  /** When it was made, by the server's clock. */
  now: Instant;
  /** Where the Machines are. */
  subject: string;
  deleting: DeletingView[];
  living: LivingView[];
  /** Those that went while somebody read the page, newest first. */
  gone: GoneView[];
  unasked: UnaskedView[];
  /** What was done to what is shown, where it is a dump. */
  notes: readonly string[];
  /** What could not be read. */
  unread: string[];
}

/** A deletion in phases, as it is drawn. */
export interface Timeline {
  from: Instant;
  to: Instant;
  isOver: boolean;
  /** Its end was not seen: it came between this time and `to`. */
  endsAfter?: Instant;
  stays: TimelineStay[];
  pods: TimelinePod[];
  marks: TimelineMark[];
}

export interface TimelineStay {
  phase: Phase;
  from: Instant;
  /** Absent while it lasts. */
  to?: Instant;
  /** How it was passed. */
  as?: string;
}

export interface TimelinePod {
  /** `namespace/name`. */
  pod: string;
  /** The first and the last attempt to evict it. */
  from: Instant;
  to: Instant;
  outcome: 'accepted' | 'gone' | 'refused';
  /** How often it was refused. */
  refused: number;
  why?: string;
}

export interface TimelineMark {
  at: Instant;
  phase: string;
  kind: 'acts' | 'waits' | 'halts';
  reason: string;
  message: string;
}

export type HistoryLine = Omit<HistoryEntry, 'id' | 'node'>;

export interface MachineView extends MachineName {
  kind: 'machine';
  now: Instant;
  /** Where the Machines are. */
  subject: string;
  /** `unknown`: there is no such Machine, and none went while somebody read the page. */
  state: 'living' | 'deleting' | 'gone' | 'unknown';
  went?: Went;
  /** Absent where that is unknown. */
  nodesIn?: WorkloadRef;
  deleting?: DeletingView;
  explanation?: Explanation;
  plan?: DeletionPlan;
  /** When each hook of the plan was there at the latest (RFC 3339), by its name. Absent where that is unknown. */
  hooksSet?: Readonly<Record<string, string>>;
  timeline?: Timeline;
  /** Newest first. */
  history: HistoryLine[];
  /** What was done to what is shown, where it is a dump. */
  notes: readonly string[];
  /** What could not be read, and why. */
  unread: readonly string[];
}

/** One Machine of a plan of many. */
export interface PlannedView extends MachineName {
  verdict: Verdict;
  cluster?: string;
  node?: string;
  heldBy: string[];
}

/** What deleting each of many Machines would meet, of those that its reader may see. */
export interface PlanView extends Omit<FleetPlan<MachineName>, 'machines'> {
  kind: 'plan';
  now: Instant;
  /** Where the Machines are. */
  subject: string;
  /** When it was begun: nothing that it tells is older. */
  madeAt: Instant;
  machines: PlannedView[];
  /** Why there is none: what was asked for makes no sense. */
  problem?: string;
  /** What was done to what is shown, where it is a dump. */
  notes: readonly string[];
  /** What could not be read or is not shown, and why. */
  unread: readonly string[];
}

export type View = OverviewView | MachineView | PlanView;
