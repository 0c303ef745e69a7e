/** Milliseconds since the epoch. Time is a value: it is passed in, never read where a decision is made. */
export type Instant = number;

export interface Clock {
  now(): Instant;
  /** Calls `run` once after `milliseconds`; the returned function takes the call back. Never keeps a process alive. */
  after(milliseconds: number, run: () => void): () => void;
}

/** A timer that is to run for longer, nearly 25 days, is taken for one that is over at once. */
const longestTimer = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      timer = setTimeout(
        () => (left > longestTimer ? wait(left - longestTimer) : run()),
        Math.min(left, longestTimer),
      );
      timer.unref();
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Clocks have to agree within this: a time further ahead is that of one that is wrong. */
export const clockToleranceMilliseconds = 30_000;

/** Resolves after so long by the clock. It cannot be taken back, and keeps no process alive. */
export const pause = (clock: Pick<Clock, 'after'>, milliseconds: number): Promise<void> =>
  new Promise((resolve) => void clock.after(milliseconds, resolve));
