import * as z from 'zod';
import { clockToleranceMilliseconds, type Instant } from '../time/clock.ts';
import type { Checkpoint } from './checkpoint.ts';
import { isLimited, type Machine } from './machine.ts';
import { phases } from './phase.ts';

/** The API server's times are whole seconds: what they tell of may have been that much later. */
const cutMilliseconds = 1_000;

const writes = z.array(z.object({ time: z.string() }).catch({ time: '' })).catch([]);

/** What the API server has dated of a Machine: its deletion, and the last write of each of its writers. */
function servedTimes({ deletionTimestamp, raw }: Machine): Instant[] {
  const written = writes.parse(raw.metadata['managedFields']).map(({ time }) => Date.parse(time));
  return [deletionTimestamp ?? NaN, ...written].filter((time) => !Number.isNaN(time));
}

/**
 * The latest moment that has surely come, by our clock or by that of the API server. A clock of ours that is behind would
 * take a right start for a wrong one. Its time limit would end early.
 */
export const presentAt = (machine: Machine, now: Instant): Instant =>
  Math.max(now, ...servedTimes(machine).map((time) => time + cutMilliseconds));

/** When something begins now: not before what the API server has dated, where our clock is behind. */
export const beginningAt = (machine: Machine, now: Instant): Instant =>
  Math.max(now, ...servedTimes(machine));

/** What the way to the next phase, with its first attempt, may take. A time limit does not lose by it. */
const briefMilliseconds = 1_000;

/** When the first attempt of the checkpoint's phase started that runs now. It is the hand-on, if that was just now. */
export function attemptStart({ since, reached }: Checkpoint, now: Instant): Instant {
  return reached === undefined && isLongBefore(since, now) ? now : Date.parse(since);
}

/** Whether a time limit that starts at `start` would lose by it if it counted from `since` (RFC 3339). */
export const isLongBefore = (since: string, start: Instant): boolean =>
  start - Date.parse(since) >= briefMilliseconds;

/** Whether a clock that was ahead wrote this time. */
export const isAhead = (time: Instant, present: Instant): boolean =>
  time - present > clockToleranceMilliseconds;

/** The same of a time in RFC 3339. */
export const isToCome = (time: string, present: Instant): boolean => isAhead(Date.parse(time), present);

/**
 * The checkpoint with every start in the future set to the present. Otherwise its time limit would end late by as much.
 * Without such a start it is the very same checkpoint.
 */
export function withoutFuture(checkpoint: Checkpoint, present: Instant): Checkpoint {
  const { since, reached = since } = checkpoint;
  const starts = [since, reached, ...Object.values(checkpoint.passed).map((before) => before.since)];
  if (!starts.some((start) => isToCome(start, present))) return checkpoint;
  const stamped = (start: string): string =>
    isToCome(start, present) ? new Date(present).toISOString() : start;
  const passed: Checkpoint['passed'] = {};
  for (const phase of phases) {
    const before = checkpoint.passed[phase];
    if (before !== undefined) passed[phase] = { ...before, since: stamped(before.since) };
  }
  return { ...checkpoint, ...handedOn(checkpoint, present), since: stamped(since), passed };
}

/**
 * A clock that was ahead leaves unknown when a phase was handed on. Take it as long ago, so that what came before it is
 * checked again. An earlier phase that timed out stays timed out. Two clocks would otherwise say it is over and not over in
 * turn. Of a phase with a time limit it is said only where `reached` was there: whatever has it was tried.
 */
function handedOn({ phase, since, reached, passed }: Checkpoint, present: Instant): { reached?: string } {
  if (!isToCome(reached ?? since, present)) return {};
  const isTimedOut = Object.values(passed).some(({ as }) => as === 'timed-out');
  if (reached === undefined && (isLimited(phase) || isTimedOut)) return {};
  return { reached: new Date(isTimedOut ? present : present - clockToleranceMilliseconds).toISOString() };
}

type Made = Pick<Machine, 'raw'>;

/** When the Machine was made, by the API server's clock and in whole seconds; 0 where that is unknown. */
export const madeAt = ({ raw }: Made): Instant => Date.parse(String(raw.metadata.creationTimestamp)) || 0;

/**
 * Whether a time (RFC 3339) lies before the Machine was made. A Machine restored from a backup, with its old status, has the
 * starts and ends of an earlier deletion. That was the deletion of another server.
 */
export const isOfFormer = (machine: Made, time: string | undefined): boolean =>
  Date.parse(String(time)) < madeAt(machine);
