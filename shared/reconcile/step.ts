import type { Advance } from '../machine/messages.ts';
import type { Instant } from '../time/clock.ts';
import type { StatusInput } from '../dialects/dialect.ts';
import { NoAccess, type WorkloadCluster, workloadName } from '../kubernetes/client.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { type EventFact, warning } from '../machine/kubernetes-event.ts';
import { beginningAt } from '../machine/timestamps.ts';
import { withNode } from '../machine/machine.ts';
import { begunAt } from '../phase/transitions.ts';
import type { Subject } from '../phase/definition.ts';
import type { Arrived } from './load.ts';
import { isToBeginAnew, type Start } from '../read/staleness.ts';
import type { Chronicle } from './record.ts';
import type { Environment } from '../runtime/environment.ts';
import { nodeFinderFor } from '../read/node-finder.ts';
import type { KnownDeletions } from '../read/known-deletions.ts';
import { RunningLook } from '../read/snapshot.ts';
import { saveCheckpoint } from '../write/status.ts';
import { sayPassedOver } from './log.ts';
import { withControlPlane } from '../read/surroundings.ts';
import { goingOn } from '../runtime/trace-propagation.ts';
import type { Report } from '../machine/report.ts';

/** One invocation's work on one Machine, from its arrival to what is told at its end. */
export interface Turn {
  env: Environment;
  arrived: Arrived;
  look: RunningLook;
  workload: () => Promise<WorkloadCluster>;
  chronicle: Chronicle;
  lastReport: Report | undefined;
  /** When the step began, and the Machine's Cluster was read for one. */
  start?: Start;
  /** Set once the phase was tried in vain: something it asked for could not be read or done. */
  hasFailed?: boolean;
}

/** What is known of the step as it starts once more. */
interface Step {
  beganAt: Instant;
  deletions?: KnownDeletions | undefined;
}

/** What the turn has to tell is added to the step's chronicle. */
export function beginTurn(
  env: Environment,
  arrived: Arrived,
  chronicle: Chronicle,
  step: Step = { beganAt: env.clock.now() },
): Turn {
  const workload = workloadOf(env, arrived.subject);
  const look = lookAt(env, arrived.subject, step);
  return { env, arrived, look, workload, chronicle, lastReport: undefined };
}

/** Who looks, and at what. */
type Looking = Pick<Subject, 'machine' | 'dialect' | 'surroundings'>;

function workloadOf(env: Environment, { machine, dialect }: Looking): () => Promise<WorkloadCluster> {
  const workload = dialect.workload(machine);
  return async () => {
    if (workload !== undefined) return env.workloads.of(workload);
    throw new NoAccess(`nothing says which cluster the Node of Machine ${machine.ref.name} is in`);
  };
}

/** A new look at the world for a Machine. */
export function lookAt(
  env: Environment,
  looking: Looking,
  { beganAt, deletions }: Step = { beganAt: env.clock.now() },
): RunningLook {
  const { management, store, memory, clock, settings, actuator } = env;
  const { machine, dialect, surroundings } = looking;
  const workload = dialect.workload(machine);
  return new RunningLook({
    management,
    workload: workloadOf(env, looking),
    store,
    memory,
    clock,
    beganAt,
    deletions,
    machineUid: machine.ref.uid,
    workloadName: workload === undefined ? '' : workloadName(workload),
    considersVolumeAttachments: settings.considerVolumeAttachments,
    nodeFinder: nodeFinderFor(env, machine, dialect),
    nodeDeletion: async (nodeName) =>
      dialect.nodeDeletion(
        withNode(machine, nodeName),
        await withControlPlane(env, machine, dialect, surroundings),
      ),
    actuator,
    target: { machine: machine.raw, cluster: surroundings.cluster },
  });
}

/** Puts the first checkpoint on the Machine; false when the Machine has changed or gone meanwhile. */
export async function saveFirst(turn: Turn): Promise<boolean> {
  const { env, arrived } = turn;
  await scheduleFirst(turn);
  // The first phase may be one that goes by what was just seen: that there is no Node, for one.
  if (isToBeginAnew(turn)) return false;
  const subject = (arrived.subject = begun(turn));
  const saved = await saveCheckpoint(env, subject, subject.checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine };
  arrived.isSaved = true;
  arrived.age = saved.age ?? arrived.age;
  tellStart(turn);
  return true;
}

/**
 * Time limits count from a start that is written down: the time for which an instance stood still between its first
 * look and the write is no part of them.
 */
function begun({ env, arrived: { subject } }: Turn): Subject {
  if (isStartTold(subject)) return subject;
  const { machine, checkpoint } = subject;
  return { ...subject, checkpoint: begunAt(checkpoint, beginningAt(machine, env.clock.now())) };
}

/** Whether another controller, or we before a lost checkpoint, wrote it down already. */
export const isStartTold = ({ dialect, machine, checkpoint }: Subject): boolean =>
  dialect.startTimes(machine)[checkpoint.phase] === checkpoint.since;

/** Due before saved: a crash in between costs a look at a Machine that has not begun. */
export async function scheduleFirst({ env, arrived }: Turn): Promise<void> {
  const { ref: machine } = arrived.subject.machine;
  const at = env.clock.now() + env.settings.lookAgainSeconds * 1_000;
  // How long it waits the step says itself. What was asked for while the Machine lived may be hours away and must not stay.
  await env.store.schedule({ machine, at, failures: 0, isProvisional: true, isOfDeletion: true });
}

/** What comes with a first checkpoint, once it is saved. */
export function tellStart(turn: Turn): void {
  const { env, arrived, chronicle } = turn;
  const { machine, dialect, checkpoint } = arrived.subject;
  const { phase, seq } = checkpoint;
  env.metrics.count('deletionsStarted', { machine_api: dialect.name });
  chronicle.announcements.push({ kind: 'started', machine: machine.ref, phase, seq });
  if (arrived.unusable !== undefined) chronicle.facts.push(unusable(arrived.unusable));
  tellPassedOver(turn, checkpoint, []);
}

/**
 * What a checkpoint passes over once it is saved: what is not for this Machine is not visited.
 * @param before the phases that were passed already
 */
export function tellPassedOver(
  { env, arrived: { subject }, chronicle }: Turn,
  { passed }: Checkpoint,
  before: readonly string[],
): void {
  const { machine, dialect, nodeDeletion } = subject;
  const skipped = dialect.phases.filter((phase) => passed[phase] !== undefined && !before.includes(phase));
  sayPassedOver(env, passed, skipped, nodeDeletion);
  if (skipped.includes('drain')) chronicle.facts.push(...dialect.events(machine, { what: 'drain-skipped' }));
}

const unusable = (why: string): EventFact =>
  warning(
    'CheckpointUnusable',
    `The checkpoint annotation could not be used (${why}); it was rebuilt from what can be observed`,
  );

export function statusInput({ env, arrived, look }: Turn, report: Report | undefined): StatusInput {
  const { machine, dialect, checkpoint, surroundings } = arrived.subject;
  const causes = dialect.pausedBy(machine, surroundings);
  // What the Machine itself says of a pause is known, whatever could not be read.
  const paused = causes.length === 0 && arrived.isPauseUnknown ? undefined : causes;
  const { cluster } = surroundings;
  return { machine, checkpoint, report, paused, cluster, ...look.sightings, now: env.clock.now() };
}

/** The command that would run this very step again. */
export function commandOf({ env, arrived }: Turn): Advance {
  const { machine, checkpoint } = arrived.subject;
  const { phase, seq } = checkpoint;
  const { ref, resourceVersion } = machine;
  return { machine: ref, phase, seq, resourceVersion, ...goingOn(env) };
}
