import { LoadSense } from '../../async/adaptive-limit.ts';
import type { Clock, Stopwatch } from '../../time/clock.ts';

/** How long a batch of evictions may wait for its turns. */
interface EvictionTime {
  isOver(): boolean;
  onceOver(run: () => void): void;
  cancel(): void;
}

export function evictionTime(clock: Clock, milliseconds: number): EvictionTime {
  const waiting: (() => void)[] = [];
  const age = clock.stopwatch();
  const cancel = clock.after(milliseconds, () => {
    for (const run of waiting) run();
  });
  // A process that froze may be given turns before its timers say how late it is.
  return { isOver: () => age() >= milliseconds, onceOver: (run) => void waiting.push(run), cancel };
}

const leastPlaces = 2;

interface Turn {
  isOver(): boolean;
  end(hasCome: boolean): void;
}

/** Who may send next: a queue in front of a token bucket and of a number of places. */
export class EvictionQueue {
  readonly #clock: Clock;
  /** Since the bucket was full, by a clock that is never set. */
  readonly #age: Stopwatch;
  readonly #rate: EvictionRate;
  readonly #load: LoadSense;
  readonly #queue = new Set<Turn>();
  #bucket: TokenBucket;
  #underWay = 0;
  #cancelTimer: (() => void) | undefined;

  /** `places`: how many may be under way, where the server is quick. */
  constructor(clock: Clock, rate: EvictionRate, places: number) {
    this.#clock = clock;
    this.#rate = rate;
    this.#load = new LoadSense(clock, { first: places, least: Math.min(leastPlaces, places), most: places });
    this.#age = clock.stopwatch();
    this.#bucket = fullBucket(rate, 0);
  }

  /** Whether the turn came before the time box was used up; each turn that came must be released. */
  next(box: EvictionTime): Promise<boolean> {
    if (box.isOver()) return Promise.resolve(false);
    return new Promise((resolve) => {
      const turn: Turn = { isOver: () => box.isOver(), end: resolve };
      this.#queue.add(turn);
      box.onceOver(() => this.#end(turn, false));
      this.#admit();
    });
  }

  /** A request is over, which was sent so long ago. */
  release(milliseconds: number, as: 'answered' | 'throttled' | 'failed'): void {
    this.#underWay -= 1;
    if (as === 'answered') this.#load.saw('evict', milliseconds, this.#queue.size > 0);
    else this.#load.overloaded();
    if (as === 'throttled') {
      const now = this.#age();
      this.#bucket = slowedDown(refilled(this.#bucket, this.#rate, now), now - milliseconds, now);
    }
    this.#admit();
  }

  #admit(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#bucket = refilled(this.#bucket, this.#rate, this.#age());
    for (const turn of this.#queue) {
      if (turn.isOver()) {
        this.#end(turn, false);
        continue;
      }
      if (this.#underWay >= this.#load.limit) return;
      if (this.#bucket.tokens < 1) return this.#admitAtNextToken();
      this.#bucket = withoutOneToken(this.#bucket);
      this.#underWay += 1;
      this.#end(turn, true);
    }
  }

  #end(turn: Turn, hasCome: boolean): void {
    this.#queue.delete(turn);
    turn.end(hasCome);
  }

  #admitAtNextToken(): void {
    this.#cancelTimer = this.#clock.after(millisecondsToNextToken(this.#bucket), () => this.#admit());
  }
}

/** The configured limits of evictions in one workload cluster. */
export interface EvictionRate {
  perSecond: number;
  burst: number;
}

/** Milliseconds since an arbitrary start, by a clock that is never set. */
type BucketTime = number;

/** Tokens and the rate they come in at, both as of `at`. */
export interface TokenBucket {
  tokens: number;
  perSecond: number;
  at: BucketTime;
  /** When we last slowed down because the API server asked for it. */
  slowedAt: BucketTime | undefined;
}

/** Share of the configured rate that comes back in each second without throttling. */
const recoveryPerSecond = 0.1;
const slowestPerSecond = 1;

export function fullBucket(rate: EvictionRate, now: BucketTime): TokenBucket {
  return { tokens: rate.burst, perSecond: rate.perSecond, at: now, slowedAt: undefined };
}

/** The bucket as it stands at `now`: tokens have come in, and a reduced rate has recovered a little. */
export function refilled(bucket: TokenBucket, rate: EvictionRate, now: BucketTime): TokenBucket {
  const seconds = Math.max(0, now - bucket.at) / 1000;
  const perSecond = Math.min(rate.perSecond, bucket.perSecond + seconds * recoveryPerSecond * rate.perSecond);
  // The rate rises along the way: its mean is close enough, and never more than the rate at the end.
  const gained = (seconds * (bucket.perSecond + perSecond)) / 2;
  return { ...bucket, tokens: Math.min(rate.burst, bucket.tokens + gained), perSecond, at: now };
}

export function withoutOneToken(bucket: TokenBucket): TokenBucket {
  return { ...bucket, tokens: bucket.tokens - 1 };
}

/** Rounded up, so that a token is really there after that time. */
export function millisecondsToNextToken(bucket: TokenBucket): number {
  return Math.max(1, Math.ceil(((1 - bucket.tokens) / bucket.perSecond) * 1000));
}

/**
 * Halves the rate and drops what was saved up for a burst. Many requests in flight are throttled together. One sent
 * before the last slowing down shows nothing new.
 */
export function slowedDown(bucket: TokenBucket, requestedAt: BucketTime, now: BucketTime): TokenBucket {
  if (bucket.slowedAt !== undefined && requestedAt <= bucket.slowedAt) return bucket;
  const perSecond = Math.max(slowestPerSecond, bucket.perSecond / 2);
  return { ...bucket, perSecond, tokens: Math.min(bucket.tokens, 0), slowedAt: now };
}
