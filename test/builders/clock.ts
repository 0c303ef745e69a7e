import { type Clock, type Instant, stopwatchBy } from '../../shared/time/clock.ts';

/**
 * A clock none of whose timers comes. `passed` tells how much time has passed where `now` does not: after it was set
 * back.
 */
export const clockOf = (now: () => Instant, passed: () => number = now): Clock => ({
  now,
  stopwatch: () => stopwatchBy(now, passed),
  after: () => () => undefined,
});
