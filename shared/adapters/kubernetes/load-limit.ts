import { AdaptiveLimit, type LimitState } from '../../async/adaptive-limit.ts';
import type { Clock } from '../../time/clock.ts';
import type { Answer, ApiRequest } from './request.ts';

/** As many as connections are kept. */
const range = { first: 32, least: 4, most: 64 };

/** An API server says so that it has too much to do. */
const isOverload = ({ code }: Answer): boolean => code === 429 || code === 503;

/**
 * How many requests are under way at one API server. Evictions have a queue of their own, and a budget's 429 says nothing of
 * the server; watches last, and take no place.
 */
export class LoadLimit {
  readonly #clock: Clock;
  readonly #places: AdaptiveLimit;
  readonly #tell: (standing: LimitState) => void;

  constructor(clock: Clock, tell: (standing: LimitState) => void = () => undefined) {
    this.#clock = clock;
    this.#places = new AdaptiveLimit(clock, range);
    this.#tell = tell;
  }

  /** Asks when there is a place: the time of the request begins only then. */
  async run({ lane = 'requests', verb }: ApiRequest, ask: () => Promise<Answer>): Promise<Answer> {
    if (lane !== 'requests') return ask();
    const running = this.#places.run({ rank: 0 }, () => this.#seeing(verb, ask));
    this.#tell(this.#places.state);
    return running.finally(() => this.#tell(this.#places.state));
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
