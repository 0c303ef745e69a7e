import { type Clock, type Stopwatch, stopwatchBy } from '../../../shared/time/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until it is moved; timers fire in order while it moves. */
export class VirtualClock implements Clock {
  #now: number;
  /** In the order in which they fire: those of one time in the order in which they were set. */
  readonly #timers: Timer[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  stopwatch(): Stopwatch {
    return stopwatchBy(() => this.#now);
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, milliseconds), run };
    const later = this.#timers.findLastIndex(({ at }) => at <= timer.at) + 1;
    this.#timers.splice(later, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /** Moves to the next timer that is due within the time, or to its end. Answers whether a timer fired. */
  step(until: number): boolean {
    const [next] = this.#timers;
    const isDue = next !== undefined && next.at <= until;
    this.#now = Math.max(this.#now, isDue ? next.at : until);
    if (!isDue) return false;
    this.#timers.shift();
    next.run();
    return true;
  }

  async advance(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    do await settled();
    while (this.step(until));
  }
}

/** Lets everything that is ready to run do so. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
