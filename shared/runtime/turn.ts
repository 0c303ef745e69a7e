import type { Announcement } from '../announcement.ts';
import type { Report } from '../decision.ts';
import type { WorkloadCluster } from '../kubernetes/port.ts';
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
  lastReport: Report | undefined;
}

export function beginTurn(env: Environment, arrived: Arrived): Turn {
  const workload = workloadOf(env, arrived.subject.machine);
  const look = lookAt(env, arrived.subject.machine);
  return { env, arrived, look, workload, announcements: [], history: [], lastReport: undefined };
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
  const { ref } = subject.machine;
  // Due before saved: a crash in between costs a look at a Machine that has not begun.
  await env.store.schedule({
    machine: ref,
    at: env.clock.now() + env.settings.lookAgainSeconds * 1_000,
    failures: 0,
  });
  const saved = await saveCheckpoint(env, subject, subject.checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine };
  arrived.isSaved = true;
  arrived.seenAt = env.clock.now();
  const { phase, seq } = subject.checkpoint;
  const started: Announcement = { kind: 'started', machine: ref, phase, seq };
  turn.announcements.push(started);
  return true;
}
