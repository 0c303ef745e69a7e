import type { Clock } from '../time/clock.ts';
import { type LimitRange, LoadSense } from './load-sense.ts';

/** What runs and what waits now. */
export interface LimitState {
  limit: number;
  underWay: number;
  waiting: number;
}

/** Work of one group takes one more place if it has fewer than so many times what is free: three quarters of all. */
const timesWhatIsFree = 3;

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
