import type { Clock } from '../time/clock.ts';

/**
 * What `run` answers, or the error that `whenLate` makes after so many milliseconds by the clock. The signal tells `run`
 * to let go then; not everything listens to it, so that it is not waited for either.
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
