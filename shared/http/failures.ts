import { Unavailable } from '../kubernetes/errors.ts';
import { MalformedEvent } from './cloud-events/well-formed.ts';
import { type HttpResponse, text } from './message.ts';

/** The body has more bytes than are taken. */
export class BodyTooLarge extends Error {
  constructor(bytes: number, limitBytes: number) {
    super(`the body has ${bytes} bytes, and the limit is ${limitBytes} (PHASEOUT_BODY_LIMIT_BYTES)`);
    this.name = 'BodyTooLarge';
  }
}

/** As many requests are worked on as may be at a time. */
export class TooManyRequests extends Error {
  /** `cluster`: that has as many as it may have beside others. */
  constructor(number: number, cluster?: string) {
    const limit = cluster === undefined ? 'the limit' : `the share of workload cluster ${cluster}`;
    super(`${number} requests are being worked on, which is ${limit} (PHASEOUT_REQUESTS_IN_FLIGHT)`);
    this.name = 'TooManyRequests';
  }
}

/** The sender went away before its body was read. The answer is not seen. */
export class BrokenOff extends Error {
  constructor(options: { cause?: unknown } = {}) {
    super('the sender broke off', options);
    this.name = 'BrokenOff';
  }
}

/** The request was not done in its time. */
export class RequestTimedOut extends Error {
  constructor() {
    super('not done in the time of a request');
    this.name = 'RequestTimedOut';
  }
}

/** An event could not be handed to the sink. */
export class NotDelivered extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'NotDelivered';
  }
}

export type FailureKind =
  | 'malformed'
  | 'too-large'
  | 'too-many'
  | 'broken-off'
  | 'could-not-look'
  | 'not-delivered'
  | 'timed-out'
  | 'unexpected';

/**
 * Every status a failure is answered with. 400 and 413 are final to a broker: no Machine is larger than etcd takes,
 * and one whose event is lost is found by the sweep, which reads it from the API server. All else is 503: it is the
 * one that brokers and an ApiServerSource both retry, while 500 the latter does not, and a status borrowed from an
 * error (a Kubernetes 403, say) could be final. Both retry 429 as well; a busy instance says that, because gateways
 * take one that answers a few 503 in a row for broken and send it nothing for a while.
 */
const statuses: Record<FailureKind, 400 | 413 | 429 | 503> = {
  malformed: 400,
  'too-large': 413,
  'too-many': 429,
  'broken-off': 503,
  'could-not-look': 503,
  'not-delivered': 503,
  'timed-out': 503,
  unexpected: 503,
};

/** The part that the sender of the event may see. The rest is for the log. */
const told: Record<FailureKind, (error: unknown) => string> = {
  malformed: messageOf,
  'too-large': messageOf,
  'too-many': messageOf,
  'broken-off': messageOf,
  'could-not-look': messageOf,
  'not-delivered': messageOf,
  'timed-out': messageOf,
  unexpected: () => 'unexpected error; the log has it',
};

/** The kind of failure, for metrics and the log. */
export function failureKind(error: unknown): FailureKind {
  if (error instanceof MalformedEvent) return 'malformed';
  if (error instanceof BodyTooLarge) return 'too-large';
  if (error instanceof TooManyRequests) return 'too-many';
  if (error instanceof BrokenOff) return 'broken-off';
  if (error instanceof Unavailable) return 'could-not-look';
  if (error instanceof NotDelivered) return 'not-delivered';
  if (error instanceof RequestTimedOut) return 'timed-out';
  return 'unexpected';
}

/** What a thrown value is answered with; nothing in it is trusted to be a status. */
export function failureResponse(error: unknown): HttpResponse {
  if (error instanceof MalformedEvent) {
    const body = JSON.stringify({ error: error.why, field: error.field });
    return { status: statuses.malformed, headers: { 'content-type': 'application/json' }, body };
  }
  const kind = failureKind(error);
  const seconds = secondsAway(error);
  const retryAfter = seconds === undefined ? {} : { 'retry-after': String(Math.max(0, Math.ceil(seconds))) };
  return text(statuses[kind], told[kind](error), retryAfter);
}

/** For how long the sender had better stay away, where that is known. */
function secondsAway(error: unknown): number | undefined {
  if (error instanceof TooManyRequests) return 1;
  return error instanceof Unavailable ? error.retryAfterSeconds : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
