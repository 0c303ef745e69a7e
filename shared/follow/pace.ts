import type { Instant } from '../time/clock.ts';

/** No sooner, where a Machine stays in its phase: the APIs' own controllers look as often. */
export const shortestPause = 20_000;
const longestPause = 300_000;

/** When it is looked at next, if no event comes before: the longer it has been in its phase, the more seldom. */
export function nextLook(since: Instant, now: Instant): Instant {
  return now + Math.min(longestPause, Math.max(shortestPause, Math.round((now - since) / 4)));
}
