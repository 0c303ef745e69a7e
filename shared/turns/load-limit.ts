import { AdaptiveLimit, type LimitState } from '../async/adaptive-limit.ts';
import type { Kubernetes } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Clock } from '../time/clock.ts';

/** Steps at once. A step has one request under way, or the evictions of one Node. */
const range = { first: 8, least: 4, most: 64 };
/** Events and commands that the intake takes at once: each calls the store. */
const arrivals = 16;
/** Steps in this instance, running or waiting. Each holds a request, and other events need an answer at once. */
const mostHere = 100;
/** At most this many times the limit. More would wait so long that other instances take them up. */
const hereForEachPlace = 2;
/** Deletions that wait for room here. Others wait for a sweep. */
const mostLater = 1_000;

/**
 * Limits an instance's steps by how fast the API server of the Machines answers. Workload clusters do not count:
 * their evictions have a limit of their own. The Machines of one workload cluster leave places free for others.
 */
export class UnderLoad {
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #limit: AdaptiveLimit;
  readonly #arrivals: AdaptiveLimit;
  /** By UID of the Machine. The store has them, too: what is lost here is found by a sweep. */
  readonly #later = new Map<string, () => void>();

  constructor(clock: Clock, metrics: Metrics) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#limit = new AdaptiveLimit(clock, range);
    this.#arrivals = new AdaptiveLimit(clock, { first: arrivals, least: arrivals, most: arrivals });
  }

  readonly places: NonNullable<Environment['loadLimit']> = {
    run: async (turn, work) => {
      const running = this.#limit.run(turn, work);
      this.#tell();
      return running.finally(() => {
        this.#tell();
        this.#beginLater();
      });
    },
    later: (uid, begin) => {
      if (this.#later.size < mostLater) this.#later.set(uid, begin);
    },
    arrive: (work) => this.#arrivals.run({ rank: 0 }, work),
    room: () => {
      const { limit, underWay, waiting } = this.#limit.state;
      return Math.max(0, Math.min(mostHere, hereForEachPlace * limit) - underWay - waiting);
    },
  };

  timed(kubernetes: Kubernetes): Kubernetes {
    const timing = <T>(kind: string, ask: () => Promise<T>): Promise<T> => this.#timing(kind, ask);
    return {
      get: (...asked) => timing('get', () => kubernetes.get(...asked)),
      list: (...asked) => kubernetes.list(...asked),
      mergePatch: (...asked) => timing('patch', () => kubernetes.mergePatch(...asked)),
      jsonPatch: (...asked) => timing('patch', () => kubernetes.jsonPatch(...asked)),
      create: (...asked) => timing('create', () => kubernetes.create(...asked)),
      delete: (...asked) => timing('delete', () => kubernetes.delete(...asked)),
      evict: (...asked) => kubernetes.evict(...asked),
      watch: (...asked) => kubernetes.watch(...asked),
      discover: (...asked) => kubernetes.discover(...asked),
    };
  }

  /** Each step that ends makes room for the next. Two at a time: the limit may have grown. */
  #beginLater(): void {
    for (const [uid, begin] of [...this.#later].slice(0, Math.min(2, this.places.room()))) {
      this.#later.delete(uid);
      begin();
    }
  }

  async #timing<T>(kind: string, ask: () => Promise<T>): Promise<T> {
    const age = this.#clock.stopwatch();
    try {
      const answer = await ask();
      this.#limit.saw(kind, age());
      return answer;
    } catch (error) {
      this.#limit.saw(kind, age());
      if (error instanceof Unavailable && error.retryAfterSeconds !== undefined) this.#limit.overloaded();
      throw error;
    }
  }

  #tell(): void {
    measureLimit(this.#metrics, 'stepsAtOnce', this.#limit.state);
  }
}

/** Sets the gauge: the limit, how many run, and how many wait. */
export function measureLimit(
  metrics: Metrics,
  metric: 'stepsAtOnce' | 'apiRequestsAtOnce',
  { limit, underWay, waiting }: LimitState,
): void {
  const readings = Object.entries({ limit, 'under way': underWay, waiting });
  metrics.replace(
    metric,
    readings.map(([is, value]) => ({ labels: { is }, value })),
  );
}
