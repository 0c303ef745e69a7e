import type { OwnNodeRef } from '../phase/snapshot.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';
import { remember } from './lru-map.ts';

/** How often something could not be looked for by now, and for how long that was tried. */
interface VainLook {
  times: number;
  milliseconds: number;
  /** Since the last of them. */
  age: Stopwatch;
}

/** A later try than this does not belong to the same search: there was a pause, or the instance froze. */
const maxBetweenMilliseconds = 20_000;

/** Of this instance, for the Nodes of Machines that name none. By UID of the Machine. */
export class NodeSearches {
  readonly #clock: Clock;
  readonly #looks = new Map<string, VainLook>();
  readonly #own = new Map<string, OwnNodeRef>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Once more. */
  remember(uid: string): VainLook {
    const before = this.#looks.get(uid);
    const since = before === undefined ? 0 : Math.min(before.age(), maxBetweenMilliseconds);
    const look = {
      times: (before?.times ?? 0) + 1,
      milliseconds: (before?.milliseconds ?? 0) + since,
      age: this.#clock.stopwatch(),
    };
    remember(this.#looks, uid, look);
    return look;
  }

  /** The Node that this instance has judged to be the Machine's own. */
  ownNode(uid: string): OwnNodeRef | undefined {
    return this.#own.get(uid);
  }

  rememberOwnNode(uid: string, own: OwnNodeRef): void {
    remember(this.#own, uid, own);
  }

  forget(uid: string): void {
    this.#looks.delete(uid);
    this.#own.delete(uid);
  }
}
