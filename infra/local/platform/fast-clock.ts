import { type Clock, type Instant, type Stopwatch, stopwatchBy } from '../../../shared/time/clock.ts';

interface Timer {
  at: Instant;
  run: () => void;
}

/** A clock without real waits: it jumps to the next timer as soon as no work is left. */
export class HurriedClock implements Clock {
  #now: Instant;
  readonly #timers = new Set<Timer>();

  constructor(start: Instant) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  stopwatch(): Stopwatch {
    return stopwatchBy(() => this.#now);
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, milliseconds), run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Lets time pass until `isOver`, looked at between timers, or until nothing is left to happen before `end`. */
  async passUntil(end: Instant, isOver: () => boolean): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#next();
      if (isOver() || next === undefined || next.at > end) return;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
  }

  #next(): Timer | undefined {
    let soonest: Timer | undefined;
    for (const timer of this.#timers) if (soonest === undefined || timer.at < soonest.at) soonest = timer;
    return soonest;
  }
}
