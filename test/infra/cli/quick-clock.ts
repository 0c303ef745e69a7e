import { type Clock, type Instant, stopwatchBy } from '../../../shared/time/clock.ts';

interface Timer {
  at: Instant;
  run: () => void;
}

const beatMilliseconds = 2;
/** The most that one beat counts: in this time a process without delay comes to the next. */
const longestBeatMilliseconds = 4;

/**
 * Time that passes so many times faster, but only while this process makes progress. On a busy computer time limits
 * would otherwise end before any work is done. It stands still while no timer is set.
 */
export function quickClock(speed: number): Clock {
  let time = Date.now();
  let beatAt = 0;
  let isBeating = false;
  const timers = new Set<Timer>();

  function beatLater(): void {
    isBeating = true;
    beatAt = performance.now();
    setTimeout(beat, beatMilliseconds).unref();
  }
  function beat(): void {
    isBeating = false;
    time += Math.min(performance.now() - beatAt, longestBeatMilliseconds) * speed;
    const due = [...timers].filter(({ at }) => at <= time).toSorted((one, other) => one.at - other.at);
    // One that was due may take another back.
    for (const timer of due) if (timers.delete(timer)) timer.run();
    if (timers.size > 0 && !isBeating) beatLater();
  }

  return {
    now: () => time,
    stopwatch: () => stopwatchBy(() => time),
    after(milliseconds, run) {
      const timer = { at: time + milliseconds, run };
      timers.add(timer);
      if (!isBeating) beatLater();
      return () => void timers.delete(timer);
    },
  };
}
