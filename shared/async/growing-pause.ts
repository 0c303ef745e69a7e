import type { Clock, Stopwatch } from '../time/clock.ts';

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
  let pause: { age: Stopwatch; milliseconds: number } | undefined;
  return {
    start() {
      pause = { age: clock.stopwatch(), milliseconds: next };
      next = Math.min(2 * next, maxMilliseconds);
    },
    isOver: () => pause === undefined || pause.age() >= pause.milliseconds,
    reset() {
      next = initialMilliseconds;
      pause = undefined;
    },
  };
}
