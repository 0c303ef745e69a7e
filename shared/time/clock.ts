/** Milliseconds since the epoch. Time is a value: it is passed in, never read where a decision is made. */
export type Instant = number;

/** How many milliseconds ago it was started. */
export type Stopwatch = () => number;

/** Time and timers. All of it is passed in, so that tests set it. */
export interface Clock {
  now(): Instant;
  /** Started now. For how old something is: the difference of two instants is wrong once the clock is set meanwhile. */
  stopwatch(): Stopwatch;
  /** Calls `run` once after `milliseconds`; the returned function takes the call back. Never keeps a process alive. */
  after(milliseconds: number, run: () => void): () => void;
}

/** A timer that is to run for longer, nearly 25 days, is taken for one that is over at once. */
const longestTimer = 2_147_483_647;

/** By the clock on which more time has passed. */
export function stopwatchBy(...clocks: readonly (() => number)[]): Stopwatch {
  const began = clocks.map((clock) => ({ clock, at: clock() }));
  return () => Math.max(...began.map(({ clock, at }) => clock() - at));
}

/** The clock of this computer. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // One may be set back, and the other stands still while the machine sleeps.
  stopwatch: () => stopwatchBy(() => Math.trunc(performance.now()), Date.now),
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

/** The form Kubernetes gives times: whole seconds (the fraction is cut), UTC, `Z`. */
export const rfc3339Seconds = (instant: Instant): string =>
  `${new Date(instant).toISOString().slice(0, 19)}Z`;

/** As a Lease has times: with six digits of a second's fraction. */
export const microTime = (now: Instant): string => new Date(now).toISOString().replace('Z', '000Z');
