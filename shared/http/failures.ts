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
 * Every status a failure is answered with. 400 and 413 are final to a broker: no Machine is larger than etcd takes. The
 * sweep finds a Machine whose event is lost: it reads Machines from the API server. All else is 503, which brokers and
 * an ApiServerSource both retry. An ApiServerSource does not retry 500. A status borrowed from an error (a Kubernetes
 * 403, say) could be final. Both retry 429 as well, and a busy instance answers that. After a few 503 in a row gateways
 * take it for broken and send it nothing for a while.
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

const kinds = [
  [MalformedEvent, 'malformed'],
  [BodyTooLarge, 'too-large'],
  [TooManyRequests, 'too-many'],
  [BrokenOff, 'broken-off'],
  [Unavailable, 'could-not-look'],
  [NotDelivered, 'not-delivered'],
  [RequestTimedOut, 'timed-out'],
] as const;

/** The kind of failure, for metrics and the log. */
export const failureKind = (error: unknown): FailureKind =>
  kinds.find(([kind]) => error instanceof kind)?.[1] ?? 'unexpected';

/** What a thrown value is answered with; nothing in it is trusted to be a status. */
export function failureResponse(error: unknown): HttpResponse {
  if (error instanceof MalformedEvent) {
    const body = JSON.stringify({ error: error.why, field: error.field });
    return { status: statuses.malformed, headers: { 'content-type': 'application/json' }, body };
  }
  const kind = failureKind(error);
  const seconds = secondsAway(error);
  const retryAfter = seconds === undefined ? {} : { 'retry-after': String(Math.max(0, Math.ceil(seconds))) };
  // The sender may see no more of an unexpected error. The rest is for the log.
  const message = kind === 'unexpected' ? 'unexpected error; the log has it' : messageOf(error);
  return text(statuses[kind], message, retryAfter);
}

/** For how long the sender had better stay away, where that is known. */
function secondsAway(error: unknown): number | undefined {
  if (error instanceof TooManyRequests) return 1;
  return error instanceof Unavailable ? error.retryAfterSeconds : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
