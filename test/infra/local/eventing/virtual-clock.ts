import { setImmediate } from 'node:timers/promises';
import { type Clock, stopwatchBy } from '../../../../shared/time/clock.ts';

/** A clock that moves only while `run` waits, straight to the next thing that was asked for. */
export function virtualClock(start = Date.UTC(2026, 10, 20, 12)) {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();

  function fireNext(): boolean {
    const next = [...timers].toSorted((one, other) => one.at - other.at)[0];
    if (next === undefined) return false;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.run();
    return true;
  }

  const clock: Clock = {
    now: () => now,
    stopwatch: () => stopwatchBy(() => now),
    after(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  return {
    ...clock,
    pending: () => timers.size,
    /** Lets everything that needs no time happen. */
    settle: async () => {
      for (let turn = 0; turn < 10; turn++) await setImmediate();
    },
    /** Moves on until the work is done. Whatever it waits for must be a timer or need no time. */
    async run<Result>(work: Promise<Result>): Promise<Result> {
      let over = false;
      const end = () => {
        over = true;
      };
      work.then(end, end);
      for (;;) {
        await this.settle();
        if (over || !fireNext()) return work;
      }
    },
    /** Fires what falls due until then. */
    async until(instant: number) {
      await this.settle();
      while ([...timers].some(({ at }) => at <= instant)) {
        fireNext();
        await this.settle();
      }
      now = instant;
    },
  };
}
