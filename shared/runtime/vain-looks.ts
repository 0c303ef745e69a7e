import type { Clock, Stopwatch } from '../clock.ts';
import { remember } from './bounded.ts';

/** How often something could not be looked for by now, and since when. */
interface VainLook {
  times: number;
  age: Stopwatch;
}

/** Of this instance, for the Nodes of Machines that name none. By UID of the Machine. */
export class VainLooks {
  readonly #clock: Clock;
  readonly #looks = new Map<string, VainLook>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Once more. */
  remember(uid: string): VainLook {
    const { times, age } = this.#looks.get(uid) ?? { times: 0, age: this.#clock.stopwatch() };
    const look = { times: times + 1, age };
    remember(this.#looks, uid, look);
    return look;
  }

  forget(uid: string): void {
    this.#looks.delete(uid);
  }
}
