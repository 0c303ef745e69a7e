import type { OutEvent } from '../../events/types.ts';
import type { InstanceLog } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Tracing } from '../runtime/tracing.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';

/** Sends an event on, other than as the reply. Commands that could not be sent reject with NotDelivered. */
export type Emit = (event: OutEvent, signal: AbortSignal) => Promise<void>;

/** What a function is given with each event. */
export interface RequestContext {
  requestId: string;
  /** Its lines carry the request's id and the function's name. */
  log: InstanceLog;
  clock: Clock;
  /** Aborted when the time of the request is over. */
  signal: AbortSignal;
  /** Whether anybody reads the reply. */
  readsReply: boolean;
  /** Counts the request for a workload cluster. Throws TooManyRequests where that one has its share of the places. */
  reserveCapacity: (cluster: string) => void;
  /** `signal`: when to give up, before the time of the request is over. */
  emit(event: OutEvent, signal?: AbortSignal): Promise<void>;
}

/** What the middleware around a function works with. */
export interface FunctionContext {
  requestId: string;
  /** Its name. */
  function: string;
  log: InstanceLog;
  metrics: Metrics;
  tracing: Tracing;
  clock: Clock;
  emit: Emit;
  reserveCapacity: (cluster: string) => void;
  bodyLimitBytes: number;
  /** Since the request was received. */
  age: Stopwatch;
  /** Until the time of the request is over. Named as middy's contexts have it. */
  getRemainingTimeInMillis: () => number;
}
