import type { Clock, Instant } from '../clock.ts';
import { remember } from './bounded.ts';

/** Providers are asked this often about a server whose Machine nobody has changed; their controllers did so more seldom. */
const ageMilliseconds = 10 * 60_000;

/** The living Machines that this instance has found in step with their servers, at which version and when. */
export class InStep {
  readonly #clock: Clock;
  readonly #known = new Map<string, { version: string; at: Instant }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  remember(uid: string, version: string): void {
    remember(this.#known, uid, { version, at: this.#clock.now() });
  }

  has(uid: string, version: string): boolean {
    const known = this.#known.get(uid);
    if (known === undefined || known.version !== version) return false;
    const age = this.#clock.now() - known.at;
    return age >= 0 && age < ageMilliseconds;
  }
}
