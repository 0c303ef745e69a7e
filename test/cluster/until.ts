import type { Clock } from '../../shared/time/clock.ts';

/** The user does not want to go on. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/** It did not come to pass in the time there was. The message says what, and what there was instead. */
class TooLate extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TooLate';
  }
}

export interface Waiting {
  clock: Clock;
  /** Instant after which it is too late. */
  deadline: number;
  signal: AbortSignal;
}

const lookMilliseconds = 200;

/** Resolves after the time, or at once when the signal comes. */
export function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(milliseconds, done);
    signal.addEventListener('abort', done, { once: true });
  });
}

/**
 * Looks until there is an answer, and resolves with it. Throws TooLate, with what `instead` says then, and Interrupted.
 */
export async function until<T>(
  what: string,
  { clock, deadline, signal }: Waiting,
  look: () => Promise<T | undefined> | T | undefined,
  instead: () => Promise<string> | string = () => '',
): Promise<T> {
  for (;;) {
    if (signal.aborted) throw new Interrupted();
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (clock.now() > deadline) throw new TooLate(`${what}: not in time. ${await instead()}`);
    await pause(lookMilliseconds, clock, signal);
  }
}
