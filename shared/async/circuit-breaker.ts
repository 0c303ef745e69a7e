import type { Clock, Stopwatch } from '../time/clock.ts';

const initialMilliseconds = 1_000;
const maxMilliseconds = 30_000;

/** How a call may go on: as usual, as the one that tries, or not at all. */
export type Pass = 'usual' | 'probe' | 'none';

interface Outage {
  /** Of the first failure. One outage has one text: each other one would be news on every Machine. */
  why: string;
  age: Stopwatch;
  pause: { age: Stopwatch; milliseconds: number };
  /** Since a call tries. */
  probe?: Stopwatch;
}

/**
 * Leaves alone what does not answer. A failure starts a pause of 1 s, twice as long each time, up to 30 s.
 * After a pause one call at a time tries.
 */
export class CircuitBreaker {
  readonly #clock: Pick<Clock, 'stopwatch'>;
  readonly #probeMilliseconds: number;
  #outage: Outage | undefined;

  /** `probeMilliseconds`: how long one call may try alone. */
  constructor(clock: Pick<Clock, 'stopwatch'>, probeMilliseconds = Infinity) {
    this.#clock = clock;
    this.#probeMilliseconds = probeMilliseconds;
  }

  /** From the first failure until an answer comes. */
  get outage(): Readonly<Pick<Outage, 'why' | 'age'>> | undefined {
    return this.#outage;
  }

  pass(): Pass {
    if (this.#outage === undefined) return 'usual';
    const { probe } = this.#outage;
    if (probe === undefined ? this.#isPausing() : probe() < this.#probeMilliseconds) return 'none';
    this.#outage.probe = this.#clock.stopwatch();
    return 'probe';
  }

  /** Calls that were under way together fail together: that is one failure, and one pause. */
  failed(why: string): void {
    const outage = this.#outage;
    if (outage !== undefined && outage.probe === undefined && this.#isPausing()) return;
    const age = this.#clock.stopwatch();
    const milliseconds = outage === undefined ? initialMilliseconds : 2 * outage.pause.milliseconds;
    this.#outage = {
      why: outage?.why ?? why,
      age: outage?.age ?? age,
      pause: { age, milliseconds: Math.min(milliseconds, maxMilliseconds) },
    };
  }

  /** The call that tries has ended without showing whether the outage is over: the next call tries. */
  abandoned(): void {
    delete this.#outage?.probe;
  }

  ended(): void {
    this.#outage = undefined;
  }

  #isPausing(): boolean {
    const pause = this.#outage?.pause;
    return pause !== undefined && pause.age() < pause.milliseconds;
  }
}
