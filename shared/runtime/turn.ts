import type { Announcement } from '../announcement.ts';
import type { Report } from '../decision.ts';
import type { WorkloadCluster } from '../kubernetes/port.ts';
import type { EventFact } from '../machine/event-fact.ts';
import type { Machine } from '../machine/machine.ts';
import type { HistoryEntry } from '../store/port.ts';
import type { Arrived } from './arrive.ts';
import type { Environment } from './environment.ts';
import { RunningLook } from './look.ts';
import { saveCheckpoint } from './save.ts';

/** One invocation's work on one Machine, from its arrival to what is told at its end. */
export interface Turn {
  env: Environment;
  arrived: Arrived;
  look: RunningLook;
  workload: () => Promise<WorkloadCluster>;
  announcements: Announcement[];
  history: Pick<HistoryEntry, 'what' | 'reason' | 'message'>[];
  /** Kubernetes Events to be written at the end. */
  facts: EventFact[];
  lastReport: Report | undefined;
}

export function beginTurn(env: Environment, arrived: Arrived): Turn {
  const workload = workloadOf(env, arrived.subject.machine);
  const look = lookAt(env, arrived.subject.machine);
  return { env, arrived, look, workload, announcements: [], history: [], facts: [], lastReport: undefined };
}

const workloadOf =
  (env: Environment, { ref, clusterName = '' }: Machine): (() => Promise<WorkloadCluster>) =>
  () =>
    env.workloads.of(ref.namespace, clusterName);

/** A new look at the world for a Machine. */
export function lookAt(env: Environment, machine: Machine): RunningLook {
  const { management, store, memory, clock, settings } = env;
  return new RunningLook({
    management,
    workload: workloadOf(env, machine),
    store,
    memory,
    clock,
    machineUid: machine.ref.uid,
    workloadName: `${machine.ref.namespace}/${machine.clusterName ?? ''}`,
    considersVolumeAttachments: settings.considerVolumeAttachments,
  });
}

/** Puts the first checkpoint on the Machine; false when the Machine has changed or gone meanwhile. */
export async function saveFirst(turn: Turn): Promise<boolean> {
  const { env, arrived } = turn;
  const { subject } = arrived;
  await begin(turn);
  const saved = await saveCheckpoint(env, subject, subject.checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine };
  arrived.isSaved = true;
  arrived.seenAt = env.clock.now();
  return true;
}

/**
 * What comes with a first checkpoint. Due before saved: a crash in between costs a look at a Machine that has not
 * begun.
 */
export async function begin({ env, arrived, announcements, facts }: Turn): Promise<void> {
  const { machine, checkpoint } = arrived.subject;
  const at = env.clock.now() + env.settings.lookAgainSeconds * 1_000;
  await env.store.schedule({ machine: machine.ref, at, failures: 0 });
  announcements.push({ kind: 'started', machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq });
  if (arrived.unusable !== undefined) facts.push(unusable(arrived.unusable));
}

const unusable = (why: string): EventFact => ({
  type: 'Warning',
  reason: 'CheckpointUnusable',
  message: `The checkpoint annotation could not be used (${why}); it was rebuilt from what can be observed`,
});
