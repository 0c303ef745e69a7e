import type { Clock } from '../../../shared/time/clock.ts';
import { type Bench, Unmet } from './check.ts';

/** For those that come after one that was too late: the long wait has shown what there was to see. */
const secondsAfterThat = 30;

/** What was expected is not so, though the deadline has passed. */
export function tooLate(bench: Bench, expected: (within: string) => string, answered: string): Unmet {
  const within = `within ${bench.deadlineSeconds} s`;
  bench.deadlineSeconds = Math.min(bench.deadlineSeconds, secondsAfterThat);
  return new Unmet(expected(within), answered);
}

export function pause(clock: Clock, seconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(seconds * 1000, resolve));
}
