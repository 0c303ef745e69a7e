import type { Clock, Stopwatch } from '../time/clock.ts';

export interface LimitRange {
  first: number;
  least: number;
  most: number;
}

/** What runs and what waits now. */
export interface Standing {
  limit: number;
  underWay: number;
  waiting: number;
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
 * How much work runs at once. It grows by one while work waits and answers are quick, and falls by a third where they are
 * slow, or where a server says that it has too much to do. Work of a lower rank goes first, and then what came first.
 */
export class AdaptiveLimit {
  readonly #range: LimitRange;
  readonly #age: Stopwatch;
  /** By kind: the usual time, and when it was set. */
  readonly #usual = new Map<string, { milliseconds: number; at: number }>();
  readonly #waiting = new Map<number, (() => void)[]>();
  #limit: number;
  #underWay = 0;
  #slow = 0;
  #changedAt = 0;

  constructor(clock: Pick<Clock, 'stopwatch'>, range: LimitRange) {
    this.#range = range;
    this.#limit = range.first;
    this.#age = clock.stopwatch();
  }

  get standing(): Standing {
    const waiting = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
    return { limit: Math.floor(this.#limit), underWay: this.#underWay, waiting };
  }

  /** Runs when its turn has come. */
  async run<T>(rank: number, work: () => Promise<T>): Promise<T> {
    if (this.#underWay >= Math.floor(this.#limit)) await this.#turn(rank);
    else this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#admit();
    }
  }

  /** A server has answered a request of this kind after so long. */
  saw(kind: string, milliseconds: number): void {
    const usual = this.#usualOf(kind, milliseconds);
    const isSlow = milliseconds > Math.max(usual * slowTimes, usual + slowMilliseconds);
    this.#slow += weight * ((isSlow ? 1 : 0) - this.#slow);
    if (this.#slow > tooMany) this.overloaded();
    else if (this.standing.waiting > 0 && this.#slow < tooMany / 2) this.#change(this.#limit + 1);
  }

  #usualOf(kind: string, milliseconds: number): number {
    const now = this.#age();
    const known = this.#usual.get(kind) ?? { milliseconds, at: now };
    const grown = known.milliseconds * (1 + growth) ** (Math.max(0, now - known.at) / 1_000);
    this.#usual.set(kind, { milliseconds: Math.min(milliseconds, grown), at: now });
    return grown;
  }

  /** A server has said that it has too much to do, or has not answered in time. */
  overloaded(): void {
    this.#change(this.#limit * decrease);
  }

  #change(limit: number): void {
    // A clock that was ahead, and is right again, holds nothing up.
    if (Math.abs(this.#age() - this.#changedAt) < stepMilliseconds) return;
    this.#changedAt = this.#age();
    this.#limit = Math.max(this.#range.least, Math.min(this.#range.most, limit));
    this.#admit();
  }

  #turn(rank: number): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(rank) ?? [];
      this.#waiting.set(rank, queue);
      queue.push(resolve);
    });
  }

  #admit(): void {
    const ranks = [...this.#waiting.keys()].toSorted((one, other) => one - other);
    for (const rank of ranks) {
      const queue = this.#waiting.get(rank) ?? [];
      while (queue.length > 0 && this.#underWay < Math.floor(this.#limit)) {
        this.#underWay += 1;
        queue.shift()?.();
      }
    }
  }
}
