import type { Clock } from '../../../shared/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until it is moved; timers fire in order while it moves. */
export class VirtualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, milliseconds), run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves to the next timer that is due within the time, or to its end. Answers whether a timer fired. */
  step(until: number): boolean {
    const due = [...this.#timers].filter((timer) => timer.at <= until);
    const [next] = due.toSorted((one, other) => one.at - other.at);
    this.#now = Math.max(this.#now, next?.at ?? until);
    if (!next) return false;
    this.#timers.delete(next);
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
