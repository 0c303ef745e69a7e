import type { Clock, Stopwatch } from '../time/clock.ts';

/** What is read now and then, and not for every use. */
interface KeptReading<T> {
  /** As last read, also while that is under way; rejects as the read does. A failed read is not kept. */
  current(): Promise<T>;
  /** The next use reads again. */
  forget(): void;
}

/** Long enough for a person to log in. A read that hangs must not block all others for ever. */
const longestMilliseconds = 60_000;

/** Reads again when the last read ended at least this many milliseconds ago. */
export function keptReading<T>(
  clock: Pick<Clock, 'stopwatch'>,
  milliseconds: number,
  read: () => Promise<T>,
): KeptReading<T> {
  let kept: { reading: Promise<T>; age: Stopwatch; isDone: boolean } | undefined;

  return {
    current() {
      if (kept !== undefined && kept.age() < (kept.isDone ? milliseconds : longestMilliseconds))
        return kept.reading;
      const age = clock.stopwatch();
      const reading = read();
      const mine = { reading, age, isDone: false };
      kept = mine;
      reading.then(
        () => Object.assign(mine, { age: clock.stopwatch(), isDone: true }),
        () => {
          if (kept === mine) kept = undefined;
        },
      );
      return reading;
    },
    forget() {
      kept = undefined;
    },
  };
}

/** The answer that was given before, or that of a first read. */
export function memoize<T>(seen: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const known = seen.get(key);
  if (known !== undefined) return known;
  const reading = read();
  seen.set(key, reading);
  return reading;
}

/**
 * Shares reads between calls that arrive before the read begins. A call that finds a read under way waits for the next
 * one. So no answer is older than its question.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #next = new Map<string, Promise<T>>();

  /** The answer of a read that begins after now. */
  async get(key: string, read: () => Promise<T>): Promise<T> {
    const waiting = this.#next.get(key);
    if (waiting !== undefined) return waiting;
    const running = this.#running.get(key);
    if (running === undefined) return this.#run(key, read);
    const begin = (): Promise<T> => this.#run(key, read);
    const next = running.then(begin, begin);
    this.#next.set(key, next);
    return next;
  }

  #run(key: string, read: () => Promise<T>): Promise<T> {
    this.#next.delete(key);
    // The next one begins after this, so none but this one can be under way by then.
    const reading = read().finally(() => this.#running.delete(key));
    this.#running.set(key, reading);
    return reading;
  }
}
