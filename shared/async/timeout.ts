import type { Clock } from '../time/clock.ts';

/** A time limit for one piece of work. */
export interface TimeBox {
  /** Aborted when the time is over, unless that is cancelled before. */
  signal: AbortSignal;
  /** Known before the signal is aborted, where the process stood still: its timers come late. */
  isOver: () => boolean;
  cancel: () => void;
}

/** So many milliseconds by the clock. */
export function timeBox(clock: Pick<Clock, 'after' | 'stopwatch'>, milliseconds: number): TimeBox {
  const controller = new AbortController();
  const { signal } = controller;
  const age = clock.stopwatch();
  const cancel = clock.after(milliseconds, () => controller.abort());
  return { signal, isOver: () => signal.aborted || age() >= milliseconds, cancel };
}
