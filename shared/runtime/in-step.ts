import type { Clock, Stopwatch } from '../clock.ts';
import { remember } from './bounded.ts';

/** Providers are asked this often about a server whose Machine nobody has changed; their controllers did so more seldom. */
const ageMilliseconds = 10 * 60_000;

/** The living Machines that this instance has found in step with their servers, at which version and when. */
export class InStep {
  readonly #clock: Clock;
  readonly #known = new Map<string, { version: string; age: Stopwatch }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  remember(uid: string, version: string): void {
    remember(this.#known, uid, { version, age: this.#clock.stopwatch() });
  }

  has(uid: string, version: string): boolean {
    const known = this.#known.get(uid);
    return known?.version === version && known.age() < ageMilliseconds;
  }
}
