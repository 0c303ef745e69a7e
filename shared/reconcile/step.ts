import type { StatusInput } from '../dialects/status-input.ts';
import type { WorkloadCluster } from '../kubernetes/client.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Advance, Fact } from '../machine/messages.ts';
import type { MachineEvent, Report } from '../machine/report.ts';
import type { Subject } from '../phase/definition.ts';
import type { Start } from '../read/machine.ts';
import { openSnapshot, type Restart, workloadOf } from '../read/open-snapshot.ts';
import { ClusterSnapshot } from '../read/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import { currentTrace } from '../runtime/telemetry.ts';
import type { HistoryEntry } from '../store/port.ts';
import type { Arrived } from './load.ts';

/** One invocation's work on one Machine, from its arrival to the reports at its end. */
export interface Step {
  env: Environment;
  arrived: Arrived;
  /** As the step found it. */
  found: Subject;
  snapshot: ClusterSnapshot;
  workload: () => Promise<WorkloadCluster>;
  journal: Journal;
  /** Of the last effect in this phase. */
  lastReport: Report | undefined;
  /**
   * Whether effects of this phase have changed more than the snapshot knows. A cordon does not: its answer is the
   * Node as it is then.
   */
  isLookOld: boolean;
  /** Whether a checkpoint is on the Machine, if only that of an earlier phase. */
  isBegun: boolean;
  /** The reports to make once the checkpoint is saved, of phases that were passed since the last save. */
  onSaved: (() => void)[];
  /** When the step began its reads, such as that of the Machine's Cluster. */
  start?: Start;
  /** Set if the step does not start over again. */
  isLastStart?: boolean;
}

/** A new step. Its reports go into the journal. */
export function newStep(
  env: Environment,
  arrived: Arrived,
  journal: Journal,
  restart: Restart = { beganAt: env.clock.now() },
): Step {
  const workload = workloadOf(env, arrived.subject);
  const snapshot = openSnapshot(env, arrived.subject, restart);
  const { subject: found, isSaved } = arrived;
  const isBegun = isSaved || found.checkpoint.seq > 0;
  return {
    env,
    arrived,
    found,
    snapshot,
    workload,
    journal,
    lastReport: undefined,
    isLookOld: false,
    isBegun,
    onSaved: [],
  };
}

export function statusInput({ env, arrived, snapshot }: Step, report: Report | undefined): StatusInput {
  const { machine, dialect, checkpoint, surroundings } = arrived.subject;
  const causes = dialect.pausedBy(machine, surroundings);
  // A pause on the Machine itself is known, whatever could not be read.
  const paused = causes.length === 0 && arrived.isPauseUnknown ? undefined : causes;
  const { cluster } = surroundings;
  return { machine, checkpoint, report, paused, cluster, ...snapshot.observed, now: env.clock.now() };
}

/** The command that would run this very step again. */
export function commandOf({ env, arrived }: Step): Advance {
  const { machine, checkpoint } = arrived.subject;
  const { phase, seq } = checkpoint;
  const { ref, resourceVersion } = machine;
  return { machine: ref, phase, seq, resourceVersion, ...currentTrace(env) };
}

/** What an effect is done for and through, and the look that gets its outcome. */
export interface EffectContext {
  env: Environment;
  subject: Subject;
  snapshot: ClusterSnapshot;
  workload: () => Promise<WorkloadCluster>;
}

/** What a step records and publishes at its end. It outlives a start that met a conflict: what was done was done. */
export interface Journal {
  facts: Fact[];
  history: Noted[];
  /** Kubernetes Events. */
  events: MachineEvent[];
}

export const emptyJournal = (): Journal => ({ facts: [], history: [], events: [] });

/** Adds a decision to the history, with where the deletion stands. */
export function recordDecision({ history }: Journal, { phase, seq }: Checkpoint, entry: HistoryNote): void {
  history.push({ ...entry, phase, seq });
}

/** Whether an effect was tried since the step began. */
export const hasActed = ({ journal }: Step): boolean => journal.history.some(({ what }) => what === 'acted');

/** Where the deletion stood is part of it: a later start of the step may find it elsewhere. */
export type Noted = HistoryNote & Pick<HistoryEntry, 'phase'> & { seq: number };

/** `error`: what failed; `detail`: the same with verb, path, host and code, where that says more. */
type HistoryNote = Pick<HistoryEntry, 'what' | 'reason' | 'message'> & {
  error?: string;
  detail?: string;
};
