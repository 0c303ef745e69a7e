import type { Stopwatch } from '../time/clock.ts';

/** Older than this nothing is that a step rests on, unless it takes that long to find out. */
const oldMilliseconds = 30_000;
/** Slower than this no API is: whoever takes longer stood still, and more than once. */
const slowestMilliseconds = 300_000;

/** A start of a step, and how old it may become. */
export interface Start {
  age: Stopwatch;
  maxMilliseconds: number;
}

/** Whoever does not stand still but waits for a slow API would never get to an end: once it took long it may. */
export function startAfter(before: Start | undefined, age: Stopwatch): Start {
  const tookLong = before !== undefined && before.age() > oldMilliseconds;
  const maxMilliseconds = tookLong ? slowestMilliseconds : (before?.maxMilliseconds ?? oldMilliseconds);
  return { age, maxMilliseconds };
}

export const isToBeginAnew = ({ start }: { start?: Start }): boolean =>
  start !== undefined && start.age() > start.maxMilliseconds;
/** No answer is waited for longer. */
const answeredMilliseconds = 15_000;

/**
 * Whether whoever asked about a Machine stood still over the answer: it may be paused, or being deleted, by then.
 * @param age since it was asked
 */
export const isLearntLate = (age: Stopwatch): boolean => age() > answeredMilliseconds;
