import type { Stopwatch } from '../time/clock.ts';

/** No answer is waited for longer. */
const answeredMilliseconds = 15_000;

/**
 * Whether whoever asked about a Machine stood still over the answer: it may be paused, or being deleted, by then.
 * @param age since it was asked
 */
export const isLearntLate = (age: Stopwatch): boolean => age() > answeredMilliseconds;
