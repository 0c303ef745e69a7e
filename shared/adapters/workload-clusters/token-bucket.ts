/** The configured limits of evictions in one workload cluster. */
export interface EvictionRate {
  perSecond: number;
  burst: number;
}

/** Milliseconds since an arbitrary start, by a clock that is never set. */
export type BucketTime = number;

/** Tokens and the rate they come in at, both as of `at`. */
export interface TokenBucket {
  tokens: number;
  perSecond: number;
  at: BucketTime;
  /** When the API server last asked to slow down, as far as we obeyed it. */
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
 * Halves the rate and drops what was saved up for a burst. A throttling of a request from before the last slowing
 * down says nothing new: many in flight at once are throttled together.
 */
export function slowedDown(bucket: TokenBucket, requestedAt: BucketTime, now: BucketTime): TokenBucket {
  if (bucket.slowedAt !== undefined && requestedAt <= bucket.slowedAt) return bucket;
  const perSecond = Math.max(slowestPerSecond, bucket.perSecond / 2);
  return { ...bucket, perSecond, tokens: Math.min(bucket.tokens, 0), slowedAt: now };
}
