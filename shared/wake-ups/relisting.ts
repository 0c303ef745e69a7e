import { LruMap } from '../cache/lru-map.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';

const betweenMilliseconds = 10_000;

/**
 * When to look at a Machine after an API has forgotten what has changed. At once, but not twice in a row. An API that
 * forgets each list as soon as it was read would cause reads without end. By UID of the Machine.
 */
export class Relisting {
  readonly #clock: Clock;
  readonly #looks = new LruMap<Stopwatch>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back when it is time, then or later. Returns the way to stop it. */
  inTurn(uid: string, look: () => void): () => void {
    const lookNow = (): void => {
      this.#looks.set(uid, this.#clock.stopwatch());
      look();
    };
    const left = betweenMilliseconds - (this.#looks.get(uid)?.() ?? betweenMilliseconds);
    if (left > 0) return this.#clock.after(left, lookNow);
    lookNow();
    return () => undefined;
  }
}
