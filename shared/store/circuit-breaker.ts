import { type GrowingPause, growingPause } from '../async/growing-pause.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';

/** How a call may go on: as usual, as the one that finds out whether the outage is over, or not at all. */
export type Pass = 'usual' | 'probe' | 'none';

interface Outage {
  age: Stopwatch;
  isProbing: boolean;
  lostWrites: number;
}

/**
 * When to leave an unreachable store alone: for 1 s after a failure, doubling to 30 s, then one call at a time
 * tries. Says one line when an outage begins and one when it is over.
 */
export class Outages {
  readonly #clock: Clock;
  readonly #pause: GrowingPause;
  readonly #say: (line: string) => void;
  #outage: Outage | undefined;

  constructor(clock: Clock, say: (line: string) => void) {
    this.#clock = clock;
    this.#pause = growingPause(clock);
    this.#say = say;
  }

  get isOver(): boolean {
    return this.#outage === undefined;
  }

  pass(): Pass {
    const outage = this.#outage;
    if (outage === undefined) return 'usual';
    if (outage.isProbing || !this.#pause.isOver()) return 'none';
    outage.isProbing = true;
    return 'probe';
  }

  /** A usual call that ends well during an outage began before it and proves nothing. */
  succeeded(pass: Pass): void {
    const outage = this.#outage;
    if (outage === undefined || pass !== 'probe') return;
    this.#outage = undefined;
    this.#pause.reset();
    const seconds = Math.round(outage.age() / 1000);
    this.#say(`The store answers again after ${seconds} s. Writes lost: ${outage.lostWrites}.`);
  }

  /** Calls that failed together make one outage and one pause; only a failed probe makes the pause longer. */
  failed(pass: Pass, reason: string): void {
    if (this.#outage === undefined) this.#begin(reason);
    else if (pass === 'probe') this.#prolong(this.#outage);
  }

  /** The call ended without telling whether the store answers: the next one tries. */
  abandoned(pass: Pass): void {
    if (this.#outage !== undefined && pass === 'probe') this.#outage.isProbing = false;
  }

  lost(writes: number): void {
    if (this.#outage !== undefined) this.#outage.lostWrites += writes;
  }

  #begin(reason: string): void {
    const age = this.#clock.stopwatch();
    this.#outage = { age, isProbing: false, lostWrites: 0 };
    this.#pause.start();
    this.#say(
      `The store does not answer: ${reason}. Deletions go on: evictions with default back-off, what is due by ` +
        'listing Machines. The history and eviction records of this time will be missing.',
    );
  }

  #prolong(outage: Outage): void {
    outage.isProbing = false;
    this.#pause.start();
  }
}
