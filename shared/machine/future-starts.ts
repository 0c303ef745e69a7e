import * as z from 'zod';
import { clockToleranceMilliseconds, type Instant } from '../clock.ts';
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
 * The latest moment that has surely come, by our clock or by that of the API server. A clock of ours that is behind
 * would take a right start for a wrong one, and its time limit would end early.
 */
export const presentAt = (machine: Machine, now: Instant): Instant =>
  Math.max(now, ...servedTimes(machine).map((time) => time + cutMilliseconds));

/** When something begins now: not before what the API server has dated, where our clock is behind. */
export const beginningAt = (machine: Machine, now: Instant): Instant =>
  Math.max(now, ...servedTimes(machine));

/** Whether a clock that was ahead wrote this time (RFC 3339). */
export const isToCome = (time: string, present: Instant): boolean =>
  Date.parse(time) - present > clockToleranceMilliseconds;

/**
 * The checkpoint with every start that lies in the future set to the present, since its time limit would end late by
 * as much; the very same checkpoint where none does. When a phase was handed on that has no such limit nobody knows then:
 * not lately, for whoever would take what came before it at its word. That the time of an earlier phase was over is taken
 * at its word all the same: two clocks would have it over and not over in turn.
 */
export function withoutFuture(checkpoint: Checkpoint, present: Instant): Checkpoint {
  const starts = [checkpoint.since, ...Object.values(checkpoint.passed).map(({ since }) => since)];
  if (!starts.some((start) => isToCome(start, present))) return checkpoint;
  const stamped = (since: string): string =>
    isToCome(since, present) ? new Date(present).toISOString() : since;
  const passed: Checkpoint['passed'] = {};
  for (const phase of phases) {
    const before = checkpoint.passed[phase];
    if (before !== undefined) passed[phase] = { ...before, since: stamped(before.since) };
  }
  const { phase, since, reached } = checkpoint;
  const isTimedOut = Object.values(passed).some(({ as }) => as === 'timed-out');
  const isUnknown = reached === undefined && isToCome(since, present) && !isLimited(phase) && !isTimedOut;
  const long = isUnknown ? { reached: new Date(present - clockToleranceMilliseconds).toISOString() } : {};
  return { ...checkpoint, ...long, since: stamped(since), passed };
}
