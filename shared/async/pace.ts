import { type Clock, pause, type Stopwatch } from '../time/clock.ts';

/** Lets callers go on one after the other, with the same time between them. */
export class Pace {
  readonly #clock: Clock;
  readonly #betweenMilliseconds: number;
  readonly #age: Stopwatch;
  #next = 0;
  #waiting = 0;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#betweenMilliseconds = 1_000 / perSecond;
    this.#age = clock.stopwatch();
  }

  /** Resolves when it is the caller's turn. */
  async turn(): Promise<void> {
    const now = this.#age();
    // A clock that was ahead, and is right again, has left a turn far ahead.
    const latest = now + (this.#waiting + 1) * this.#betweenMilliseconds;
    const at = Math.min(Math.max(now, this.#next), latest);
    this.#next = at + this.#betweenMilliseconds;
    if (at === now) return;
    this.#waiting += 1;
    await pause(this.#clock, Math.ceil(at - now));
    this.#waiting -= 1;
  }
}
