import type { Clock, Stopwatch } from '../time/clock.ts';
import { remember } from './lru-map.ts';

/** Machines whose last write the API server refused, and the version that it refused. */
export class Refusals {
  readonly #clock: Clock;
  readonly #restMilliseconds: number;
  readonly #refused = new Map<string, { seen: string; age: Stopwatch }>();

  constructor(clock: Clock, restMilliseconds: number) {
    this.#clock = clock;
    this.#restMilliseconds = restMilliseconds;
  }

  isAtRest(uid: string, seen = ''): boolean {
    const refused = this.#refused.get(uid);
    return refused?.seen === seen && refused.age() < this.#restMilliseconds;
  }

  remember(uid: string, seen = ''): void {
    remember(this.#refused, uid, { seen, age: this.#clock.stopwatch() });
  }

  forget(uid: string): void {
    this.#refused.delete(uid);
  }
}
