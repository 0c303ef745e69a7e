import { clockToleranceMilliseconds, type Instant } from '../time/clock.ts';
import type { Claim, Requeue } from './port.ts';

/** How long a claim lasts. A step that takes longer goes on without: resourceVersion and UID protect what it does. */
export const claimMilliseconds = 30_000;

/** A claim that ends later than this is one of an instance whose clock is ahead, or ours was set back: it is not believed. */
export const furthestEnd = (now: Instant): Instant => now + claimMilliseconds + clockToleranceMilliseconds;

/** Whether a claim that ends then is under way. */
export const isUnderWay = (until: Instant, now: Instant): boolean => until > now && until <= furthestEnd(now);

/** There in case that the step never comes to its end. */
export const lookAtEnd = ({ machine, until }: Pick<Claim, 'machine' | 'until'>): Requeue => ({
  machine,
  at: until,
  failures: 0,
  isProvisional: true,
  isOfDeletion: true,
});

/** Stands for news that names no resourceVersion. */
export const unnamed = '-';
