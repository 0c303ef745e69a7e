/** Milliseconds since the epoch. Time is a value: it is passed in, never read where a decision is made. */
export type Instant = number;

export interface Clock {
  now(): Instant;
  /** Calls `run` once after `milliseconds`; the returned function takes the call back. Never keeps a process alive. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
