import type { Instant } from '../time/clock.ts';

const daySeconds = 24 * 60 * 60;

/** How long the store keeps what it knows of a Pod, in seconds. */
export const podRecordRetentionSeconds = 7 * daySeconds;
/** How long the store keeps what it knows of a DeletionHook's turn, in seconds. Its time limit is 30 days at most. */
export const hookRecordRetentionSeconds = 30 * daySeconds;
/** How long the store keeps the history of a Machine, in seconds. */
export const historyRetentionSeconds = 30 * daySeconds;

/** Counted from the time of the look. By then the sweep has long found the Machine by listing. */
export const dueLookRetentionSeconds = 7 * daySeconds;

/** Seconds since the epoch, as a time to live is written; never earlier than asked for. */
export const expiryOf = (from: Instant, retentionSeconds: number): number =>
  Math.ceil(from / 1000 + retentionSeconds);

/** What has expired may stay for days. Readers and writers go by the time, not by presence. */
export const hasExpired = (expirySeconds: number, now: Instant): boolean => expirySeconds * 1000 <= now;
