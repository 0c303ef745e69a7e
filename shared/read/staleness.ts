import type { Stopwatch } from '../time/clock.ts';

/** Older than this nothing is that a step rests on, unless it takes that long to find out. */
const oldMilliseconds = 30_000;
/** No API is slower than this: a step that takes longer froze, more than once. */
const slowestMilliseconds = 300_000;

/** A start of a step, and how old it may become. */
export interface Start {
  age: Stopwatch;
  maxMilliseconds: number;
}

/** On a slow API a step would restart forever. After one slow start, allow five minutes. */
export function startAfter(before: Start | undefined, age: Stopwatch): Start {
  const tookLong = before !== undefined && before.age() > oldMilliseconds;
  const maxMilliseconds = tookLong ? slowestMilliseconds : (before?.maxMilliseconds ?? oldMilliseconds);
  return { age, maxMilliseconds };
}

/** Whether a step has lasted too long to act on what it saw, and must start over. */
export const mustRestart = ({ start }: { start?: Start }): boolean =>
  start !== undefined && start.age() > start.maxMilliseconds;
/** No answer is waited for longer. */
const answeredMilliseconds = 25_000;

/**
 * Whether the process froze while it waited for a Machine. The Machine may be paused or deleted since.
 * @param age since it was asked
 */
export const isReadTooOld = (age: Stopwatch): boolean => age() > answeredMilliseconds;
