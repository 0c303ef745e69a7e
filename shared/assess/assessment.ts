import type { Existence } from '../actuator/port.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Observed } from '../dialects/gate.ts';
import { type DrainPlan, planDrain } from '../drain/plan.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import type { Node, Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import type { Report } from '../machine/report.ts';
import type { DrainSeen } from '../observe/drain.ts';
import type { OwnNode } from '../observe/node.ts';
import type { DetachSeen } from '../observe/volume-detach.ts';
import type { Decision, Effect } from '../phase/decision.ts';
import type { AnyPhase, DefinedPhase, Subject } from '../phase/definition.ts';
import type { HooksAhead } from '../phase/hooks-ahead.ts';
import type { Instant } from '../time/clock.ts';
import type { NodeAttachment } from '../volumes/attachments.ts';
import type { PinnedPods } from './pinned.ts';

/** The phases that a deletion is assessed with: the run's own. */
export interface Phases extends Readonly<Record<Exclude<Phase, 'drain' | 'volume-detach'>, AnyPhase>> {
  readonly drain: DefinedPhase<DrainSeen>;
  readonly 'volume-detach': DefinedPhase<DetachSeen>;
}

/**
 * What the phases decide for one Machine over one snapshot. First comes the deletion's own phase, then what is foreseen. All
 * who tell of a deletion tell a part of this.
 */
export interface Assessment {
  /** With its Node, where one was found. */
  machine: Machine;
  dialect: Dialect;
  now: Instant;
  /** Where the deletion stands; absent where it has not begun. */
  stands?: Checkpoint;
  /** What keeps everything from the Machine as it is now. */
  held: Report[];
  phases: AssessedPhase[];
  /** Whether its Node may be touched at all: where it may not, hooks before the drain hold nothing. */
  mayTouchNode: boolean;
  onNode: OnNode;
  /** The DeletionHooks that it still has before it; absent where they are unknown, or nothing is looked at. */
  hooksAhead?: HooksAhead;
  infrastructure: Observed;
  bootstrap: Observed;
  /** What would matter and was not read, a sentence each. */
  unsure: string[];
}

/** One phase, as far as it can be told. */
export type AssessedPhase = { phase: Phase } & (
  | { kind: 'passed'; as: PhaseOutcome }
  /** The Machine says that it is done. */
  | { kind: 'done-before' }
  /** Nothing is looked at for this Machine. */
  | { kind: 'left'; does: 'skip' | 'wait'; why: string }
  /** What decides was not read, or not given. */
  | { kind: 'unread'; why: string; subject: Subject }
  | ForeseenPhase
);

/** What a phase does as things stand. */
export interface ForeseenPhase<Seen = unknown> {
  kind: 'foreseen';
  /** As it comes to the phase. */
  subject: Subject;
  effects: readonly Effect[];
  /** What it concludes, once these are done as foreseen. */
  decision: Decision;
  /** In the last look; absent where it could not look. */
  seen?: Seen;
  /** Of the server, where a provider is asked to delete it. */
  existence?: Existence;
}

/** What is on the Machine's Node. What was not looked at is absent, and never said to be nothing. */
export interface OnNode {
  /** The Machine's own Node. */
  node?: Node;
  /** Whose the Node is that is not the Machine's own, or why that is unknown. */
  notOwn?: Exclude<OwnNode, { kind: 'own' | 'none' }>;
  /** Why it is unknown whether there is a Node, or what is on it. */
  unread?: string;
  verdicts?: PodVerdict[];
  /** What makes those Pods on this very Node, by UID of the Pod. */
  pinned?: PinnedPods;
  /** In the last look of the drain. */
  drain?: DrainSeen;
  /** The Node is not cordoned while this one of the control plane is. */
  cordonedOther?: string;
  /** In that of the wait for volumes. */
  detach?: DetachSeen;
  refusals?: Refusals;
  /** What the Machine would show of its drain while Pods are left; empty when none has to go. */
  message: string;
  /** Attached to the Node; absent where nothing depends on it any more. */
  attachments?: readonly NodeAttachment[];
  considersAttachments: boolean;
}

/** What the API would answer to the evictions of a drain, as the world is now. */
export interface Refusals {
  /** Of the Pods that have to go now, by UID. */
  answers: ReadonlyMap<string, EvictionAnswer>;
  /** Those of later batches that can never pass. */
  ahead: readonly RefusalAhead[];
  /** Of the namespaces of Pods that have to go. */
  budgets: readonly PodDisruptionBudget[];
  /** Budgets that nothing has computed where this was looked at, by `namespace/name`. */
  uncomputed: ReadonlySet<string>;
  /** Namespaces of Pods that have to go, where they are being deleted. */
  terminating: readonly TerminatingNamespace[];
  /** Why it is unknown what budgets would refuse. */
  unread?: string;
}

/** A namespace that is being deleted. */
export interface TerminatingNamespace {
  name: string;
  /** When it was asked to go (RFC 3339). */
  since: string;
  /** What keeps it, as far as its conditions say. */
  remaining: string[];
}

/** An eviction of a later batch that can never pass. */
export interface RefusalAhead {
  /** From 1 on. */
  batch: number;
  pod: Pod;
  answer: EvictionAnswer & { kind: 'refused' };
}

const nothing: DrainPlan = planDrain([], { records: new Map() });

/** What the drain has decided to do. It is nothing where the drain is passed over, or was not looked at. */
export const drainPlanOf = ({ drain }: Pick<OnNode, 'drain'>): DrainPlan =>
  drain?.kind === 'judged' ? drain.plan : nothing;
