import { type Clock, stopwatchBy } from '../../../shared/clock.ts';

/** Real time that passes so many times faster. */
export function quickClock(speed: number): Clock {
  const start = Date.now();
  const now = (): number => start + (Date.now() - start) * speed;
  return {
    now,
    stopwatch: () => stopwatchBy(now),
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds / speed);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
