import type { Clock, Stopwatch } from '../time/clock.ts';

export interface LimitRange {
  first: number;
  least: number;
  most: number;
}

/** It changes by one step a second at most: what it does is to be seen first. */
const stepMilliseconds = 1_000;
const decrease = 0.7;
/** An answer is slow that takes so many times as long as usual, and so much longer. */
const slowTimes = 4;
const slowMilliseconds = 250;
/** In a second the usual time grows by so much at most, where a server gets slower; a faster one it follows at once. */
const growth = 0.005;
/** Each answer counts so much for the share of slow ones; with more of these than `tooMany` there is too much load. */
const weight = 0.1;
const tooMany = 0.5;

/**
 * How much may be under way at one server. It grows by one while more waits and answers are quick, and falls by a third where
 * they are slow, or where the server says that it has too much to do.
 */
export class LoadSense {
  readonly #range: LimitRange;
  readonly #age: Stopwatch;
  /** By kind: the usual time, and when it was set. */
  readonly #usual = new Map<string, { milliseconds: number; at: number }>();
  #limit: number;
  #slow = 0;
  #changedAt = 0;

  constructor(clock: Pick<Clock, 'stopwatch'>, range: LimitRange) {
    this.#range = range;
    this.#limit = range.first;
    this.#age = clock.stopwatch();
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** A server has answered a request of this kind after so long. `isWanted`: more waits. */
  saw(kind: string, milliseconds: number, isWanted: boolean): void {
    const usual = this.#usualOf(kind, milliseconds);
    const isSlow = milliseconds > Math.max(usual * slowTimes, usual + slowMilliseconds);
    this.#slow += weight * ((isSlow ? 1 : 0) - this.#slow);
    if (this.#slow > tooMany) this.overloaded();
    else if (isWanted && this.#slow < tooMany / 2) this.#change(this.#limit + 1);
  }

  /** A server has said that it has too much to do, or has not answered in time. */
  overloaded(): void {
    this.#change(this.#limit * decrease);
  }

  #usualOf(kind: string, milliseconds: number): number {
    const now = this.#age();
    const known = this.#usual.get(kind) ?? { milliseconds, at: now };
    const grown = known.milliseconds * (1 + growth) ** (Math.max(0, now - known.at) / 1_000);
    this.#usual.set(kind, { milliseconds: Math.min(milliseconds, grown), at: now });
    return grown;
  }

  #change(limit: number): void {
    // A clock that was ahead, and is right again, holds nothing up.
    if (Math.abs(this.#age() - this.#changedAt) < stepMilliseconds) return;
    this.#changedAt = this.#age();
    this.#limit = Math.max(this.#range.least, Math.min(this.#range.most, limit));
  }
}
