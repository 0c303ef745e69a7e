import { withinDeadline } from '../async/with-timeout.ts';
import type { FunctionContext } from './context.ts';
import { RequestTimedOut } from './failures.ts';

/** Works on a request for as long as it may take by the instance's clock. Throws RequestTimedOut. */
export const inTime = <T>(
  { clock, getRemainingTimeInMillis }: Pick<FunctionContext, 'clock' | 'getRemainingTimeInMillis'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withinDeadline(clock, getRemainingTimeInMillis(), work, () => new RequestTimedOut());
