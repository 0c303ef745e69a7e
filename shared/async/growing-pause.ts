import type { Clock } from '../time/clock.ts';

const initialMilliseconds = 1_000;
const maxMilliseconds = 30_000;

/** How long to leave something alone that does not answer: 1 s after the first failure, twice as long each time, to 30 s. */
export interface GrowingPause {
  /** Starts the next pause. */
  start(): void;
  isOver(): boolean;
  /** An answer came: the next pause is short again. */
  reset(): void;
}

/** No pause is on before the first failure. */
export function growingPause(clock: Pick<Clock, 'stopwatch'>): GrowingPause {
  let next = initialMilliseconds;
  let isOver = (): boolean => true;
  return {
    start() {
      const [milliseconds, age] = [next, clock.stopwatch()];
      isOver = () => age() >= milliseconds;
      next = Math.min(2 * milliseconds, maxMilliseconds);
    },
    isOver: () => isOver(),
    reset() {
      next = initialMilliseconds;
      isOver = () => true;
    },
  };
}
