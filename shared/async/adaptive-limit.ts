import type { Clock, Stopwatch } from '../time/clock.ts';

/** What runs and what waits now. */
export interface LimitState {
  limit: number;
  underWay: number;
  waiting: number;
}

/**
 * One group takes one more place only while it has about so many times what is free. So one group gets three quarters
 * of all places, and two get three sevenths each. There is always room for one more group.
 */
export const timesWhatIsFree = 3;

/** Which work goes first: that of a lower rank, and then what came first. `group`: what may wait for the same server. */
export interface Turn {
  rank: number;
  group?: string | undefined;
}

interface Waiting extends Turn {
  begin: () => void;
}

/**
 * How much work runs at once, by what its servers can do. A group leaves room for others: its server may be slow alone.
 */
export class AdaptiveLimit {
  readonly #load: LoadSense;
  /** By rank. */
  #waiting: Waiting[] = [];
  readonly #groups = new Map<string, number>();
  #underWay = 0;

  constructor(clock: Pick<Clock, 'stopwatch'>, range: LimitRange) {
    this.#load = new LoadSense(clock, range);
  }

  get state(): LimitState {
    return { limit: this.#load.limit, underWay: this.#underWay, waiting: this.#waiting.length };
  }

  /** Runs when its turn has come. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      const behind = this.#waiting.findIndex(({ rank }) => rank > turn.rank);
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, { ...turn, begin });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#count(turn, -1);
      this.#admit();
    }
  }

  /** A server has answered a request of this kind after so long. */
  saw(kind: string, milliseconds: number): void {
    this.#load.saw(kind, milliseconds, this.#waiting.length > 0);
    this.#admit();
  }

  /** A server has said that it has too much to do, or has not answered in time. */
  overloaded(): void {
    this.#load.overloaded();
  }

  #admit(): void {
    this.#waiting = this.#waiting.filter((waiting) => {
      if (!this.#hasPlaceFor(waiting)) return true;
      this.#count(waiting, 1);
      waiting.begin();
      return false;
    });
  }

  #hasPlaceFor({ group }: Turn): boolean {
    const free = this.#load.limit - this.#underWay;
    if (free <= 0) return false;
    return group === undefined || (this.#groups.get(group) ?? 0) < timesWhatIsFree * free;
  }

  #count({ group }: Turn, by: number): void {
    this.#underWay += by;
    if (group !== undefined) this.#groups.set(group, (this.#groups.get(group) ?? 0) + by);
  }
}

interface LimitRange {
  first: number;
  least: number;
  most: number;
}

/** It changes by one step a second at most: the effect of a step has to show first. */
const stepMilliseconds = 1_000;
const decrease = 0.7;
/** An answer is slow that takes so many times as long as usual, and so much longer. */
const slowTimes = 4;
const slowMilliseconds = 250;
/** Where a server gets slower, the usual time grows by so much a second at most. It follows a faster one at once. */
const growth = 0.005;
/** Each answer counts so much for the share of slow ones. A share over `tooMany` means too much load. */
const weight = 0.1;
const tooMany = 0.5;

/**
 * How much may be under way at one server. It grows by one while more waits and answers are quick. It falls by a third
 * where they are slow, or where the server has too much to do.
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
