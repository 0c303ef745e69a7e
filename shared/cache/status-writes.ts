import { createHash } from 'node:crypto';
import type { Reason } from '../machine/reason.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';
import { remember } from './lru-map.ts';

/** For so long another instance's word is let stand. */
export const justMilliseconds = 10_000;

/** What has failed is tried again after this time, and may turn out meanwhile to be something else, but not for ever. */
const retryMilliseconds = 5_000;
const maxTexts = 2;

/** Of one Machine, whatever happens. */
const maxStatuses = 8;

/** What is to be said of a Machine. */
export interface Saying {
  status: Record<string, unknown>;
  /** The status that stands. */
  over: unknown;
  /** The reason, where it says that something failed. */
  failure: Reason | undefined;
}

interface Said {
  what: string;
  failure: Reason | undefined;
  age: Stopwatch;
}

/** The statuses that this instance has written a moment ago, by the UIDs of Machines. */
export class SaidStatuses {
  readonly #clock: Clock;
  readonly #said = new Map<string, readonly Said[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Whether to leave this status for the next step, so that writes do not cause one another. Either the same status replaced
   * the same one before and was put back since, or it is one more text for a failure that was told before the next attempt:
   * some errors have another text each time.
   */
  isTooSoon(uid: string, saying: Saying): boolean {
    const said = this.#recent(uid);
    if (said.length === 0) return false;
    const now = whatOf(saying);
    if (said.some(({ what }) => what === now)) return true;
    const { failure } = saying;
    if (failure === undefined) return false;
    const isSame = (each: Said): boolean => each.failure === failure && each.age() < retryMilliseconds;
    return said.filter(isSame).length >= maxTexts;
  }

  remember(uid: string, saying: Saying): void {
    const { failure } = saying;
    const said = { what: whatOf(saying), failure, age: this.#clock.stopwatch() };
    remember(this.#said, uid, [...this.#recent(uid), said].slice(-maxStatuses));
  }

  forget(uid: string): void {
    this.#said.delete(uid);
  }

  #recent(uid: string): readonly Said[] {
    return (this.#said.get(uid) ?? []).filter(({ age }) => age() < justMilliseconds);
  }
}

/** Hashed: there may be many, and each is as long as two statuses. */
const whatOf = ({ status, over }: Saying): string =>
  createHash('sha256')
    .update(timeless([status, over]))
    .digest('base64');

/** A time that the API does not store differs at each step. */
export const timeless = (status: object): string =>
  JSON.stringify(status).replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, 'time');
