import type { Clock, Instant, Stopwatch } from '../../../shared/time/clock.ts';

/**
 * The clock of those who ask the cluster itself and not its API server: they are as late as they would be if they waited for
 * it like everybody else. It can be taken away: who still has it keeps nothing alive then.
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
