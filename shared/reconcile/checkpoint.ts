import type { Checkpoint } from '../machine/checkpoint.ts';
import { limitSecondsOf } from '../machine/machine.ts';
import { type MachineEvent, warning } from '../machine/report.ts';
import { beginningAt, isLongBefore, presentAt, withoutFuture } from '../machine/timestamps.ts';
import type { Subject } from '../phase/definition.ts';
import { guard, pausedOrInvalid } from '../phase/guard.ts';
import { limitStart } from '../phase/time-limit.ts';
import { mustRestart } from '../read/machine.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';
import { logSkipped } from './log.ts';
import { record } from './record.ts';
import type { Step } from './step.ts';

/**
 * Begins a deletion at another phase than the requested one. Saves and records that first, so that the next sweep
 * finds the Machine there whatever this step does. False if the Machine has changed or gone meanwhile.
 */
export async function begin(step: Step): Promise<boolean> {
  const isSaved = await saveReached(step);
  if (isSaved) await record(step);
  return isSaved;
}

/**
 * Saves the checkpoint that the step has reached: the first one, or one behind phases that were passed. False if the
 * Machine has changed or gone meanwhile.
 */
export async function saveReached(step: Step): Promise<boolean> {
  const { env, arrived } = step;
  // The first phase may rest on what was just seen, such as that there is no Node.
  if (mustRestart(step)) return false;
  const { subject } = arrived;
  const saved = await saveCheckpoint(env, subject, subject.checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine };
  arrived.isSaved = true;
  arrived.age = saved.age ?? arrived.age;
  const hasPassed = step.onSaved.length > 0;
  reportReached(step);
  // Records what was passed before the next effects, as the APIs' own controllers do.
  if (hasPassed) await record(step);
  return true;
}

/** Reports what a saved checkpoint means: that the deletion has begun, and the phases that were passed. */
export function reportReached(step: Step): void {
  if (!step.isBegun) reportStart(step);
  step.isBegun = true;
  for (const report of step.onSaved.splice(0)) report();
}

function reportStart(step: Step): void {
  const { env, arrived, found, journal } = step;
  const { machine, dialect, checkpoint } = found;
  const { phase, seq } = checkpoint;
  env.metrics.count('deletionsStarted', { machine_api: dialect.name });
  journal.facts.push({ kind: 'started', machine: machine.ref, phase, seq });
  if (arrived.unusable !== undefined) journal.events.push(unusable(arrived.unusable));
  reportSkipped(step, found, checkpoint, []);
}

/**
 * Reports the phases that a saved checkpoint skips: a phase that does not apply to this Machine is not visited.
 * @param before the phases that were passed already
 */
export function reportSkipped(
  { env, journal }: Step,
  subject: Subject,
  { passed }: Checkpoint,
  before: readonly string[],
): void {
  const { machine, dialect, nodeDeletion } = subject;
  const skipped = dialect.phases.filter((phase) => passed[phase] !== undefined && !before.includes(phase));
  logSkipped(env, passed, skipped, nodeDeletion);
  if (skipped.includes('drain')) journal.events.push(...dialect.events(machine, { what: 'drain-skipped' }));
}

const unusable = (why: string): MachineEvent =>
  warning(
    'CheckpointUnusable',
    `The checkpoint annotation could not be used (${why}); it was rebuilt from what can be observed`,
  );

/**
 * Resets starts in the future, from a clock that was wrong, before any decision rests on them. Writes only if there
 * is one. False if the Machine has changed or gone meanwhile. Throws Unavailable if it could not be written.
 */
export async function resetFutureStarts(step: Step): Promise<boolean> {
  const { env, arrived } = step;
  const { subject, isSaved } = arrived;
  const { machine, checkpoint: before } = subject;
  const checkpoint = withoutFuture(before, presentAt(machine, env.clock.now()));
  // A Machine that must be left as it is gets no checkpoint, and no decision rests on this one.
  if (checkpoint === before || pausedOrInvalid(subject) !== undefined) return true;
  if (!isSaved) {
    arrived.subject = { ...subject, checkpoint };
    return true;
  }
  if (!(await rewrite(step, checkpoint))) return false;
  env.log.warn('Phase start was in the future, reset to now', {
    since: before.since,
    reset: checkpoint.since,
  });
  return true;
}

/**
 * The first attempt of a phase has ended in a wait, so its time limit starts. The checkpoint gets the start if the
 * status of the Machine does not show it. Writes nothing while a hook or a pause holds the Machine, and nothing a
 * second time. False and throws as above.
 */
export async function startLimit(step: Step): Promise<boolean> {
  const { env, arrived } = step;
  const { subject, isSaved } = arrived;
  const { machine, checkpoint } = subject;
  const { phase, since, reached } = checkpoint;
  const isLimited = limitSecondsOf(phase, machine) > 0;
  if (!isSaved || !isLimited || reached !== undefined || guard(subject, env.clock.now()) !== undefined)
    return true;
  const shown = limitStart(subject);
  // An instance of an older release counts from `since` alone.
  if (shown !== undefined && !isLongBefore(since, shown)) return true;
  const start = shown ?? beginningAt(machine, env.clock.now());
  if (!(await rewrite(step, { ...checkpoint, since: new Date(start).toISOString(), reached: since })))
    return false;
  env.log.info('Time limit starts now: first attempt', { since });
  return true;
}

async function rewrite({ env, arrived }: Step, checkpoint: Checkpoint): Promise<boolean> {
  const { subject } = arrived;
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine, checkpoint };
  arrived.age = saved.age ?? arrived.age;
  return true;
}
