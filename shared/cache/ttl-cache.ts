import type { Clock, Stopwatch } from '../time/clock.ts';
import { LruMap } from './lru-map.ts';

interface Reading<T> {
  value: Promise<T>;
  age: Stopwatch;
}

/**
 * Answers of reads of one kind, shared by all who ask within a moment. A failed read is not remembered. The next read
 * drops answers older than any caller has accepted: lists are large.
 */
export class TtlCache<T> {
  readonly #clock: Clock;
  readonly #readings = new LruMap<Reading<T>>();
  #longestMilliseconds: number;

  /** `longestMilliseconds`: the oldest answer that callers will accept, before any has asked. */
  constructor(clock: Clock, longestMilliseconds = 0) {
    this.#clock = clock;
    this.#longestMilliseconds = longestMilliseconds;
  }

  /** The answer of a read begun at most `maxAgeMilliseconds` ago, or a new one. */
  get(key: string, maxAgeMilliseconds: number, read: () => Promise<T>): Promise<T> {
    const known = this.#fresh(key, maxAgeMilliseconds);
    if (known !== undefined) return known.value;
    const age = this.#clock.stopwatch();
    const value = read();
    const reading = { value, age };
    this.#keep(key, reading);
    value.catch(() => {
      if (this.#readings.get(key) === reading) this.#readings.delete(key);
    });
    return value;
  }

  /** The answer, if there is one that is new enough. */
  known(key: string, maxAgeMilliseconds: number): Promise<T> | undefined {
    return this.#fresh(key, maxAgeMilliseconds)?.value;
  }

  /** Keeps the answer of a write like that of a read. `age`: since the write began. */
  set(key: string, value: T, age: Stopwatch): void {
    this.#keep(key, { value: Promise.resolve(value), age });
  }

  forget(key: string): void {
    this.#readings.delete(key);
  }

  #keep(key: string, reading: Reading<T>): void {
    this.#dropOld();
    this.#readings.set(key, reading);
  }

  #fresh(key: string, maxAgeMilliseconds: number): Reading<T> | undefined {
    this.#longestMilliseconds = Math.max(this.#longestMilliseconds, maxAgeMilliseconds);
    const known = this.#readings.get(key);
    return known === undefined || known.age() > maxAgeMilliseconds ? undefined : known;
  }

  /** The oldest come first. */
  #dropOld(): void {
    for (const [key, { age }] of this.#readings.entries()) {
      if (age() <= this.#longestMilliseconds) return;
      this.#readings.delete(key);
    }
  }
}
