import { type Clock, stopwatchBy } from '../../../../shared/time/clock.ts';

export interface ManualClock extends Clock {
  /** Moves time on; what is due is run in order, and what that sets off gets its turn. */
  advance(milliseconds: number): Promise<void>;
  /** The process stands still for so long: what is due by then is run late, and in order. */
  standStill(milliseconds: number): Promise<void>;
  /** It tells another time from now on; none has passed. */
  setBack(milliseconds: number): void;
  /** How many timers are set. */
  timers(): number;
}

/** Time that stands still until it is told to move. */
export function manualClock(): ManualClock {
  let now = Date.UTC(2040, 0, 1);
  let behind = 0;
  let timers: { at: number; run: () => void }[] = [];

  function takeNext(until: number): { at: number; run: () => void } | undefined {
    const due = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
    timers = timers.filter((timer) => timer !== due);
    return due;
  }

  const clock: ManualClock = {
    now: () => now - behind,
    stopwatch: () =>
      stopwatchBy(
        () => now,
        () => now - behind,
      ),
    setBack: (milliseconds) => void (behind += milliseconds),
    timers: () => timers.length,
    after(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(milliseconds) {
      const until = now + milliseconds;
      await settled();
      for (let due = takeNext(until); due !== undefined; due = takeNext(until)) {
        now = Math.max(now, due.at);
        due.run();
        await settled();
      }
      now = until;
    },
    async standStill(milliseconds) {
      now += milliseconds;
      await clock.advance(0);
    },
  };
  return clock;
}

/** Lets promises that can go on without IO do so. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
