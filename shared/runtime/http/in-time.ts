import type { FunctionContext } from './context.ts';
import { RequestTimedOut } from './failures.ts';

/**
 * Works on a request for as long as it may take by the instance's clock, and lets go of the work then: the signal tells
 * it so. Throws RequestTimedOut.
 */
export async function inTime<T>(
  { clock, getRemainingTimeInMillis }: Pick<FunctionContext, 'clock' | 'getRemainingTimeInMillis'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const stop = clock.after(Math.max(0, getRemainingTimeInMillis()), () => {
    over.abort();
    reject(new RequestTimedOut());
  });
  try {
    return await Promise.race([work(over.signal), timeout]);
  } finally {
    stop();
  }
}
