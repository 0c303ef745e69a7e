import { InternalServerError, ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { timeouts } from '../../../shared/adapters/dynamodb/client.ts';

/** The fate of a call, each time that it is sent. The SDK repeats a failed call, and that asks for a fate again. */
export type StoreFault =
  | 'none'
  /** No process listens. */
  | 'unreachable'
  /** No answer comes. 'late effect': the call arrives at some later time, after the client has given up. */
  | { timeout: 'before' | 'after the effect' | 'late effect' }
  /** The connection breaks before the answer, and the call is sent again at once: it may meet its own effect. */
  | { reset: 'before' | 'after the effect' }
  | 'throttled'
  | 'server error'
  /** Answers as it was so many changes ago, unless a consistent answer was asked for. */
  | { stale: number }
  /** Answers at most so many items at a time. */
  | { page: number };

export interface Failure {
  error: Error;
  effect: 'none' | 'at once' | 'late';
  /** Until the SDK knows of it. */
  afterMilliseconds: number;
  /** Before the SDK sends the call again. It draws a time up to twice as long. */
  pauseMilliseconds: number;
}

const usualPause = 12;
const throttledPause = 500;

/** Undefined for a call that is answered. */
export function failureOf(fault: StoreFault): Failure | undefined {
  if (fault === 'none') return undefined;
  if (fault === 'unreachable') return failed(broken('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:8000'));
  if (fault === 'throttled') return failed(throttled(), { pauseMilliseconds: throttledPause });
  if (fault === 'server error') return failed(serverError());
  if ('timeout' in fault) return timedOut(fault.timeout);
  if ('reset' in fault) {
    const effect = fault.reset === 'before' ? 'none' : 'at once';
    return failed(broken('ECONNRESET', 'socket hang up'), { effect });
  }
  return undefined;
}

/** What does not arrive did not get a connection; what arrives has one, and waits for longer. */
function timedOut(timeout: 'before' | 'after the effect' | 'late effect'): Failure {
  const { connectionTimeout, requestTimeout } = timeouts;
  if (timeout === 'before') {
    const message = `no connection within ${connectionTimeout} ms`;
    return failed(broken('ETIMEDOUT', message), { afterMilliseconds: connectionTimeout });
  }
  const effect = timeout === 'late effect' ? 'late' : 'at once';
  const error = broken(
    'ETIMEDOUT',
    `a request has exceeded the configured ${requestTimeout} ms requestTimeout`,
  );
  return failed(error, { effect, afterMilliseconds: requestTimeout });
}

const failed = (error: Error, how: Partial<Failure> = {}): Failure => ({
  error,
  effect: 'none',
  afterMilliseconds: 0,
  pauseMilliseconds: usualPause,
  ...how,
});

/** The SDK calls everything that the network does to a call by one name. */
const broken = (code: string, message: string): Error =>
  Object.assign(new Error(message), { name: 'TimeoutError', code });

const throttled = (): Error =>
  new ProvisionedThroughputExceededException({
    $metadata: { httpStatusCode: 400 },
    message: 'The level of configured provisioned throughput for the table was exceeded.',
  });

const serverError = (): Error =>
  new InternalServerError({ $metadata: { httpStatusCode: 500 }, message: 'Internal server error' });
