import type { Checkpoint } from '../machine/checkpoint.ts';
import { limitSecondsOf } from '../machine/machine.ts';
import { beginningAt, isLongBefore, presentAt, withoutFuture } from '../machine/timestamps.ts';
import { guard, pausedOrInvalid } from '../phase/guard.ts';
import { limitStart } from '../phase/time-limit.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';
import type { Step } from './step.ts';

/**
 * Resets starts that lie in the future, by a clock that was wrong, before anything is decided by them; writes only where
 * there is one. False when the Machine has changed or gone meanwhile. Throws Unavailable when it could not be written.
 */
export async function resetFutureStarts(step: Step): Promise<boolean> {
  const { env, arrived } = step;
  const { subject, isSaved } = arrived;
  const { machine, checkpoint: before } = subject;
  const checkpoint = withoutFuture(before, presentAt(machine, env.clock.now()));
  // A Machine that must be left as it is gets no checkpoint, and nothing is decided by this one.
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
 * The first attempt of a phase has ended in a wait: its time limit starts, and the checkpoint says so where the status
 * of the Machine does not. Nothing is written while a hook or a pause holds the Machine, and nothing a second time. False
 * and throws as above.
 */
export async function startLimit(step: Step): Promise<boolean> {
  const { env, arrived } = step;
  const { subject, isSaved } = arrived;
  const { machine, checkpoint } = subject;
  const { phase, since, reached } = checkpoint;
  const isLimited = limitSecondsOf(phase, machine) > 0;
  if (!isSaved || !isLimited || reached !== undefined || guard(subject, env.clock.now()) !== undefined)
    return true;
  const told = limitStart(subject);
  // An instance of an older release counts from `since` alone.
  if (told !== undefined && !isLongBefore(since, told)) return true;
  const start = told ?? beginningAt(machine, env.clock.now());
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
