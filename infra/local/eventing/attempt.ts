import type { Clock } from '../../../shared/time/clock.ts';
import { durationMilliseconds } from '../../serverless/duration.ts';
import type { Delivery } from '../../serverless/model.ts';
import type { CloudEvent } from './event.ts';
import { binaryHeaders, fromHttp, structured } from './http-binding.ts';
import type { Post, PostResponse } from './post.ts';

export interface Failure {
  kind: 'failed';
  status: number;
  body: Uint8Array;
  retried: boolean;
  /** The Broker's own 502 for a reply that is no event: its dead letter says nothing of the error. */
  unexplained?: true;
}

/** What a subscriber's answer means. */
export type Attempt =
  | { kind: 'done' }
  | { kind: 'replied'; event: CloudEvent; headers: PostResponse['headers'] }
  | Failure;

export interface AttemptRequest {
  url: string;
  event: CloudEvent;
  headers: Readonly<Record<string, string>>;
  delivery: Delivery;
  signal: AbortSignal;
}

/** One POST of an event to a subscriber and what the answer means. Never throws. */
export async function attempt(post: Post, clock: Clock, request: AttemptRequest): Promise<Attempt> {
  const timeout = new AbortController();
  const limit = attemptTimeout(request.delivery);
  const takeBack =
    limit === undefined
      ? undefined
      : clock.after(limit, () => timeout.abort(new Error('the time-out passed')));
  const signal = AbortSignal.any([request.signal, timeout.signal]);
  try {
    return meaningOf(await post({ url: request.url, ...message(request), signal }));
  } catch (error) {
    const cause = signal.aborted ? signal.reason : error;
    const text = `dispatch error: Post "${request.url}": ${cause instanceof Error ? cause.message : cause}`;
    return { kind: 'failed', status: 500, body: Buffer.from(text), retried: true };
  } finally {
    takeBack?.();
  }
}

function message({ event, headers, delivery }: AttemptRequest) {
  if (delivery.format !== 'json') {
    return { headers: { ...headers, ...binaryHeaders(event) }, body: event.data };
  }
  const form = structured(event);
  return { headers: { ...headers, ...form.headers }, body: form.body };
}

function meaningOf({ status, headers, body }: PostResponse): Attempt {
  if (status < 200 || status > 299) return { kind: 'failed', status, body, retried: isRetriedStatus(status) };

  const reading = fromHttp(headers, body);
  if (reading.kind === 'event') return { kind: 'replied', event: reading.event, headers };
  if (body.length === 0) return { kind: 'done' };
  // A success with a body that is no event: taken for a gateway's fault, therefore tried again.
  return { kind: 'failed', status: 502, body: new Uint8Array(), retried: true, unexplained: true };
}

/** What a Broker without any `delivery` of its own gives its Triggers: up to 204.6 s for one event. */
const brokerDefault: Delivery = { retry: 10, backoffPolicy: 'exponential', backoffDelay: 'PT0.2S' };

/**
 * The Trigger's delivery replaces the Broker's as a whole, retries included. With a dead letter sink alone, a Trigger
 * is tried once. The Broker's dead letter sink alone is inherited.
 */
export function effectiveDelivery(trigger?: Delivery, broker: Delivery = brokerDefault): Delivery {
  if (trigger === undefined) return broker;
  const { deadLetterSink } = broker;
  return { ...(deadLetterSink === undefined ? {} : { deadLetterSink }), ...trigger };
}

/** By measurement: 413, 422, 425 and the other client errors are final, as are redirects. */
export const isRetriedStatus = (status: number): boolean =>
  status >= 500 || status === 404 || status === 408 || status === 409 || status === 429;

/** The pauses before each retry, in milliseconds. */
export function retryPauses({ retry = 0, backoffPolicy, backoffDelay }: Delivery): number[] {
  const delay = durationMilliseconds(backoffDelay ?? 'PT0S') ?? 0;
  return Array.from({ length: retry }, (_, index) => {
    // Linear starts at nought times the delay, so its first retry is immediate; without a policy all of them are.
    if (backoffPolicy === 'linear') return delay * index;
    return backoffPolicy === 'exponential' ? delay * 2 ** index : 0;
  });
}

/** Milliseconds one attempt may take; undefined if the delivery sets no limit. */
const attemptTimeout = ({ timeout }: Delivery): number | undefined =>
  timeout === undefined ? undefined : durationMilliseconds(timeout);
