import type { Clock } from '../../clock.ts';

/**
 * What `run` answers, or an error after `milliseconds`, with the message that `whenLate` has by then. It is not enough to
 * hand on the signal: looking for credentials and pauses between attempts do not listen to it.
 */
export async function withinDeadline<T>(
  clock: Clock,
  milliseconds: number,
  run: (signal: AbortSignal) => Promise<T>,
  whenLate: () => string,
): Promise<T> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const takeBack = clock.after(milliseconds, () => {
    const error = new Error(whenLate());
    late.reject(error);
    controller.abort(error);
  });
  try {
    return await Promise.race([run(controller.signal), late.promise]);
  } finally {
    takeBack();
  }
}
