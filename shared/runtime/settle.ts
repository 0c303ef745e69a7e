import type { Advance, Announcement } from '../announcement.ts';
import type { Decision, Report } from '../decision.ts';
import type { StatusInput } from '../dialects/dialect.ts';
import { nextLeg } from '../machine/itinerary.ts';
import { advanced, retreated } from '../machine/progress.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Environment, StepResult } from './environment.ts';
import { removeFinalizer, saveCheckpoint, saveStatus, writeEvents } from './save.ts';
import { begin, saveFirst, type Turn } from './turn.ts';

/**
 * A wait is a saved time: the status says what is waited for, the store when to look again, and only then may a
 * warm instance watch for what would end it sooner.
 */
export async function settle(
  turn: Turn,
  wait: Decision & { kind: 'wait' },
): Promise<StepResult | 'conflict'> {
  // A paused Machine is left as it is, without even a checkpoint.
  if (wait.report.reason === 'Paused') return rest(turn, wait, undefined);
  if (!turn.arrived.isSaved && !(await saveFirst(turn))) return 'conflict';
  return rest(turn, wait, wait.report);
}

const blindRetrySeconds = 5;
const peersText = 'Please check controller logs for errors';

/** Where the deletion stands could not even be asked: the Machine says why, and its checkpoint stays as it is. */
export function settleBlind(turn: Turn, why: string): Promise<StepResult | 'conflict'> {
  const message = why.startsWith('failed to check if Kubernetes Node deletion is allowed') ? peersText : why;
  const report: Report = { reason: 'InternalError', message, error: why };
  turn.env.log.warn('Machine could not be looked at', {
    machine: turn.arrived.subject.machine.ref.name,
    why,
  });
  return rest(turn, { kind: 'wait', until: [], report, lookAgainSeconds: blindRetrySeconds }, report);
}

async function rest(
  turn: Turn,
  wait: Decision & { kind: 'wait' },
  report: Report | undefined,
): Promise<StepResult | 'conflict'> {
  const { env, arrived } = turn;
  const saved = await saveStatus(env, arrived.subject, statusInput(turn, report));
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return forget(env, commandOf(turn));
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  if (saved.changed) {
    turn.history.push({ what: 'waited', ...wait.report });
    turn.announcements.push(...waiting(turn, wait.report));
    turn.facts.push(...(wait.facts ?? []));
  }
  const at = env.clock.now() + wait.lookAgainSeconds * 1_000;
  const look = { machine: arrived.subject.machine.ref, at, failures: 0 };
  await Promise.all([writeEvents(env, arrived.subject, turn.facts), record(turn), env.store.schedule(look)]);
  env.wakeUps.keep(commandOf(turn), [...wait.until, { kind: 'time', at }], workloadOf(turn));
  return { announcements: turn.announcements };
}

/** Saves that the phase was passed (or returned to), tells it, and hands on to the next. */
export async function move(
  turn: Turn,
  decision: Decision & { kind: 'advance' | 'retreat' },
): Promise<StepResult | 'conflict'> {
  const { env, arrived } = turn;
  const { subject } = arrived;
  const checkpoint = nextCheckpoint(turn, decision);
  if (!arrived.isSaved) await begin(turn);
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return forget(env, commandOf(turn));
  env.wakeUps.drop(subject.machine.ref.uid);
  const as = decision.kind === 'advance' ? decision.passing : 'not-applicable';
  turn.history.push({ what: 'advanced', reason: as, message: decision.message });
  const about = { machine: saved.machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  const from = subject.checkpoint.phase;
  turn.announcements.push({ ...about, kind: 'advanced', from, as, message: decision.message });
  if (decision.kind === 'advance') turn.facts.push(...(decision.facts ?? []));
  await Promise.all([writeEvents(env, subject, turn.facts), record(turn)]);
  const next: Advance = { ...about, resourceVersion: saved.machine.resourceVersion };
  return { next, announcements: turn.announcements };
}

function nextCheckpoint(turn: Turn, decision: Decision & { kind: 'advance' | 'retreat' }): Checkpoint {
  const { env, arrived, look } = turn;
  const { machine, dialect, nodeDeletion, checkpoint } = arrived.subject;
  const now = env.clock.now();
  if (decision.kind === 'retreat') return retreated(checkpoint, decision.to, now);
  const node = look.sightings.node;
  return advanced(checkpoint, {
    as: decision.passing,
    leg: nextLeg(machine, dialect, nodeDeletion, checkpoint.phase),
    now,
    startTimes: dialect.startTimes(machine),
    nodeUid: node.kind === 'present' ? node.object.metadata.uid : undefined,
  });
}

/** The last step: says that the deletion is complete, then takes the finalizer off. */
export async function finish(
  turn: Turn,
  decision: Decision & { kind: 'release' },
): Promise<StepResult | 'conflict'> {
  const { env, arrived } = turn;
  const saved = await saveStatus(env, arrived.subject, statusInput(turn, decision.report));
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return forget(env, commandOf(turn));
  const subject = { ...arrived.subject, machine: saved.machine };
  const removed = await removeFinalizer(env, subject);
  if (removed.kind === 'conflict') return 'conflict';
  turn.history.push({ what: 'completed', ...decision.report });
  const { phase, seq } = subject.checkpoint;
  const completed: Announcement = { kind: 'completed', machine: subject.machine.ref, phase, seq };
  await Promise.all([record(turn), forget(env, commandOf(turn))]);
  return { announcements: [...turn.announcements, completed] };
}

/** The Machine is no more: nothing of it is left behind here either. */
export async function forget(env: Environment, command: Advance): Promise<StepResult> {
  const { uid } = command.machine;
  env.memory.rememberGone(uid);
  env.wakeUps.drop(uid);
  await env.store.unschedule(uid);
  return { announcements: [] };
}

function statusInput({ env, arrived, look }: Turn, report: Report | undefined): StatusInput {
  const { machine, dialect, checkpoint, surroundings } = arrived.subject;
  const paused = dialect.pausedBy(machine, surroundings);
  return { machine, checkpoint, report, paused, ...look.sightings, now: env.clock.now() };
}

const commandOf = ({ arrived }: Turn): Advance => {
  const { machine, checkpoint } = arrived.subject;
  const { phase, seq } = checkpoint;
  return { machine: machine.ref, phase, seq, resourceVersion: machine.resourceVersion };
};

function workloadOf({ arrived }: Turn): { namespace: string; clusterName: string } | undefined {
  const { ref, clusterName } = arrived.subject.machine;
  return clusterName === undefined ? undefined : { namespace: ref.namespace, clusterName };
}

function record({ env, arrived, history }: Turn): Promise<void> {
  const { machine, checkpoint } = arrived.subject;
  if (history.length === 0) return Promise.resolve();
  const at = env.clock.now();
  const entries = history.map((entry, index) => ({
    ...entry,
    at,
    id: `${String(checkpoint.seq).padStart(6, '0')}-${new Date(at).toISOString()}-${index}`,
    phase: checkpoint.phase,
    by: env.instance,
  }));
  return env.store.appendHistory(machine.ref, entries);
}

function waiting(turn: Turn, report: Report): Announcement[] {
  const { machine, checkpoint, dialect } = turn.arrived.subject;
  const about = { machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  const { reason, message, error } = report;
  if (reason === 'WaitingForPreDrainHook') {
    return [
      { ...about, kind: 'hook-waiting', point: 'pre-drain', hooks: dialect.hooks(machine, 'pre-drain') },
    ];
  }
  if (reason === 'WaitingForPreTerminateHook') {
    const hooks = dialect.hooks(machine, 'pre-terminate');
    return [{ ...about, kind: 'hook-waiting', point: 'pre-terminate', hooks }];
  }
  if (error !== undefined) return [{ ...about, kind: 'failed', reason, message, error }];
  return [{ ...about, kind: 'blocked', reason, message }];
}
