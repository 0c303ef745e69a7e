import type { Clock, Instant, Stopwatch } from '../../../shared/time/clock.ts';

/**
 * The clock of controllers that here ask the cluster itself. They are as late as if they waited for the API server. It
 * can be taken away: then a controller that still has it keeps nothing alive.
 */
export class ControllersClock implements Clock {
  #clock: Clock | undefined;
  #now: Instant = 0;
  /** Resolves when the API server would have come to it. */
  turn: () => Promise<void> = () => Promise.resolve();

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
    let isOff = false;
    const cancel = this.#clock?.after(milliseconds, () => {
      void this.turn().then(() => (isOff || this.#clock === undefined ? undefined : run()));
    });
    return () => {
      isOff = true;
      cancel?.();
    };
  }

  stop(): void {
    this.now();
    this.#clock = undefined;
  }
}
