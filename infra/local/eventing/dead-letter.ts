import type { Instant } from '../../../shared/time/clock.ts';
import type { Failure } from './attempt.ts';
import { type CloudEvent, withAttributes } from './event.ts';

/** An event that one Trigger could not deliver. Its dead letter may have been delivered or lost. */
export interface DeadLetter {
  /** The original event; with `knativeerror*` extensions unless the failure was a reply that is no event. */
  event: CloudEvent;
  trigger: string;
  subscriber: string;
  attempts: number;
  status: number;
  /** The subscriber's last answer, or why there was none. */
  reason: string;
  at: Instant;
  /** Where it ended: a dead letter sink took it, the sink failed too, or there is none and only we know of it. */
  end: 'in sink' | 'sink failed' | 'no sink';
}

const keptErrorBytes = 1024;

/** The event with what went wrong and where, as a dead letter sink receives it. */
export function explained(event: CloudEvent, failure: Failure, destination: string): CloudEvent {
  if (failure.unexplained === true) return event;
  return withAttributes(event, {
    knativeerrordest: destination,
    knativeerrorcode: String(failure.status),
    knativeerrordata: Buffer.from(failure.body.subarray(0, keptErrorBytes)).toString('base64'),
  });
}

export const reasonOf = (failure: Failure): string =>
  failure.unexplained === true
    ? 'the success had a body that is not a CloudEvent'
    : Buffer.from(failure.body.subarray(0, keptErrorBytes)).toString() || `status ${failure.status}`;
