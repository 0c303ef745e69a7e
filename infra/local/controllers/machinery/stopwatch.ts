import type { Clock, Instant } from '../../../../shared/time/clock.ts';

/**
 * Remembers when something was first seen. Timestamps in objects are whole seconds, too coarse for short delays. Like
 * a real kubelet, a restarted one counts again.
 */
export class Stopwatch {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The time `seconds` after `id` was first asked for. */
  due(id: string, seconds: number): Instant {
    const start = this.#seen.get(id) ?? this.#clock.now();
    this.#seen.set(id, start);
    return start + seconds * 1000;
  }

  forget(id: string): void {
    this.#seen.delete(id);
  }
}
