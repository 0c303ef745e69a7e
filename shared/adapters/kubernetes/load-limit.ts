import { AdaptiveLimit, type LimitState } from '../../async/adaptive-limit.ts';
import { pauseUnlessAborted } from '../../async/timeout.ts';
import type { Clock } from '../../time/clock.ts';
import type { Answer, ApiRequest } from './request.ts';

/** As many as connections are kept. */
const range = { first: 32, least: 4, most: 64 };

/** With these an API server shows that it has too much to do. */
const isOverload = ({ code }: Answer): boolean => code === 429 || code === 503;

/**
 * How many requests are under way at one API server. Evictions have a queue of their own: a budget's 429 shows nothing
 * about the server. Watches last, and take no place.
 */
export class LoadLimit {
  readonly #clock: Clock;
  readonly #places: AdaptiveLimit;
  readonly #report: (standing: LimitState) => void;

  constructor(clock: Clock, report: (standing: LimitState) => void = () => undefined) {
    this.#clock = clock;
    this.#places = new AdaptiveLimit(clock, range);
    this.#report = report;
  }

  /** Asks when there is a place: the time of the request begins only then. */
  async run({ lane = 'requests', verb }: ApiRequest, ask: () => Promise<Answer>): Promise<Answer> {
    if (lane !== 'requests') return ask();
    const running = this.#places.run({ rank: 0 }, () => this.#seeing(verb, ask));
    this.#report(this.#places.state);
    return running.finally(() => this.#report(this.#places.state));
  }

  async #seeing(verb: string, ask: () => Promise<Answer>): Promise<Answer> {
    const age = this.#clock.stopwatch();
    try {
      const answer = await ask();
      if (isOverload(answer)) this.#places.overloaded();
      else this.#places.saw(verb, age());
      return answer;
    } catch (error) {
      this.#places.overloaded();
      throw error;
    }
  }
}

/** Before the second and the third time. */
const pausesMilliseconds = [100, 300];
/** Where a server asks for a longer pause than this, the next look asks again. */
const longestPauseMilliseconds = 1_000;

/**
 * Each request earns so much of another try. So a server that refuses all gets a tenth more requests, not three times
 * as many.
 */
const earned = 0.1;
/** So many may be saved up. */
const maxSaved = 10;

export class RetryBudget {
  #saved = maxSaved;

  earn(): void {
    this.#saved = Math.min(maxSaved, this.#saved + earned);
  }

  /** Whether one more try may be made. */
  spend(): boolean {
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}

interface Patience {
  clock: Clock;
  retries: RetryBudget;
  /** Aborted when the time is over; rejects then. */
  signal: AbortSignal;
}

/** Asks again shortly when the server refuses for the moment. A look takes many reads and is lost with each. */
export async function withRetries(
  ask: () => Promise<Answer>,
  { clock, signal, retries }: Patience,
): Promise<Answer> {
  retries.earn();
  for (const least of pausesMilliseconds) {
    const answer = await ask();
    const wanted = 1_000 * Number(answer.retryAfter ?? 0);
    // A Retry-After may also be a date, which is never that near.
    const isSoon = wanted <= longestPauseMilliseconds;
    if (!isPassing(answer.code) || !isSoon || !retries.spend()) return answer;
    await pauseUnlessAborted(clock, Math.max(least, wanted), signal, () => new Error('the time is over'));
  }
  return ask();
}

const isPassing = (code: number): boolean => [429, 500, 502, 503, 504].includes(code);
