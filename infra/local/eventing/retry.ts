import { durationMilliseconds } from '../../serverless/duration.ts';
import type { Delivery } from '../../serverless/model.ts';

/** What a Broker without any `delivery` of its own gives its Triggers: up to 204.6 s for one event. */
const brokerDefault: Delivery = { retry: 10, backoffPolicy: 'exponential', backoffDelay: 'PT0.2S' };

/**
 * The Trigger's delivery replaces the Broker's as a whole, retries included: a Trigger that only names a dead letter
 * sink is tried once. The Broker's dead letter sink alone is inherited.
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
export const attemptTimeout = ({ timeout }: Delivery): number | undefined =>
  timeout === undefined ? undefined : durationMilliseconds(timeout);
