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

/** Rejects as soon as the signal is aborted. The awaited work may go on; its result is dropped. */
export function unlessAborted<T>(signal: AbortSignal, awaited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}

/**
 * What `run` answers, or the error that `whenLate` makes after so many milliseconds by the clock. The signal then stops
 * `run`. Not everything listens to the signal, so `run` is not waited for.
 */
export async function withinDeadline<T>(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  run: (signal: AbortSignal) => Promise<T>,
  whenLate: () => Error,
): Promise<T> {
  const over = new AbortController();
  const late = Promise.withResolvers<never>();
  const takeBack = clock.after(Math.max(0, milliseconds), () => {
    const error = whenLate();
    late.reject(error);
    over.abort(error);
  });
  try {
    return await Promise.race([run(over.signal), late.promise]);
  } finally {
    takeBack();
  }
}

/** Resolves after so long by the clock. Rejects with what `whenAborted` makes as soon as the signal is aborted. */
export function pauseUnlessAborted(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  signal: AbortSignal | undefined,
  whenAborted: () => Error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = (): void => {
      cancel();
      reject(whenAborted());
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
