import type { Clock, Instant, Stopwatch } from '../../../shared/time/clock.ts';

/** Somebody else's clock, which can be taken away: who still has this one keeps nothing alive that the other one knows. */
export class StopClock implements Clock {
  #clock: Clock | undefined;
  #now: Instant = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Instant {
    this.#now = this.#clock?.now() ?? this.#now;
    return this.#now;
  }

  stopwatch(): Stopwatch {
    const began = this.now();
    return () => this.now() - began;
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.#clock?.after(milliseconds, run) ?? (() => undefined);
  }

  stop(): void {
    this.now();
    this.#clock = undefined;
  }
}
