import type { Clock, Instant } from '../../../shared/time/clock.ts';
import type { Delivery } from '../../serverless/model.ts';
import { type Attempt, attempt, type Failure, isRetriedStatus, retryPauses } from './attempt.ts';
import { type CloudEvent, eventProblem, hopsExtension, withAttributes } from './event.ts';
import { type Headers, passedHeaders } from './http-binding.ts';
import { pause } from './pause.ts';
import type { Post } from './post.ts';

/** A Trigger, ready to deliver. */
export interface Route {
  trigger: string;
  namespace: string;
  subscriber: string;
  delivery: Delivery;
}

/** One event on its way through the Broker. */
export interface Passage {
  event: CloudEvent;
  /** Request headers that go along with it. */
  headers: Headers;
  /** Calls off what is still being tried. */
  signal: AbortSignal;
}

export interface DeliveryContext {
  post: Post;
  clock: Clock;
  /** The Broker's own address, named as destination where a reply was refused. */
  ingressUrl: string;
  /** Sends a reply through the Broker as a new event and answers with the status its ingress would have. */
  republish(event: CloudEvent, headers: Headers, signal: AbortSignal): Promise<number>;
  buried(letter: DeadLetter): void;
}

/** Delivers to one Trigger, retries, reply and dead letter included. True unless the event is lost. */
export async function deliver(context: DeliveryContext, route: Route, passage: Passage): Promise<boolean> {
  const headers = { ...passage.headers, 'Kn-Namespace': route.namespace, Prefer: 'reply' };
  // How many hops are left is between the Broker and itself: subscribers do not see it, dead letter sinks do.
  const event = withAttributes(passage.event, { [hopsExtension]: undefined });
  const request = { url: route.subscriber, event, headers, ...terms(route, passage) };
  const [outcome, attempts] = await retrying(context, request, () =>
    attempt(context.post, context.clock, request),
  );
  if (outcome.kind === 'done') return true;
  if (outcome.kind === 'failed') return bury(context, { route, passage, attempts, failure: outcome });

  const [reply] = await retrying(context, request, () => publishReply(context, passage, outcome));
  if (reply.kind !== 'failed') return true;
  return bury(context, { route, passage, attempts, failure: reply, destination: context.ingressUrl });
}

/** How long and how often one event is tried on one Trigger. */
const terms = (route: Route, passage: Passage) => ({ delivery: route.delivery, signal: passage.signal });

/** Repeats until it is settled, retries are used up or the publisher has gone. Answers with the number of attempts. */
async function retrying(
  { clock }: DeliveryContext,
  { delivery, signal }: { delivery: Delivery; signal: AbortSignal },
  once: () => Promise<Attempt>,
): Promise<[Attempt, number]> {
  let outcome = await once();
  let attempts = 1;
  for (const milliseconds of retryPauses(delivery)) {
    if (outcome.kind !== 'failed' || !outcome.retried) break;
    await pause(clock, milliseconds, signal);
    if (signal.aborted) break;
    outcome = await once();
    attempts++;
  }
  return [outcome, attempts];
}

/** Inside the same call, so that a publisher waits for the whole chain and failures multiply, as they really do. */
async function publishReply(
  context: DeliveryContext,
  { event, signal }: Passage,
  reply: Extract<Attempt, { kind: 'replied' }>,
): Promise<Attempt> {
  const next = withAttributes(reply.event, { [hopsExtension]: event.attributes[hopsExtension] });
  const status =
    eventProblem(next) === undefined
      ? await context.republish(next, passedHeaders(reply.headers), signal)
      : 400;
  if (status < 300) return { kind: 'done' };
  return { kind: 'failed', status, body: new Uint8Array(), retried: isRetriedStatus(status) };
}

interface Burial {
  route: Route;
  passage: Passage;
  attempts: number;
  failure: Failure;
  destination?: string;
}

async function bury(context: DeliveryContext, burial: Burial): Promise<boolean> {
  const { route, passage, failure, attempts } = burial;
  const event = explained(passage.event, failure, burial.destination ?? route.subscriber);
  const end = await handOver(context, burial, event);
  context.buried({
    event,
    trigger: route.trigger,
    subscriber: route.subscriber,
    attempts,
    status: failure.status,
    reason: reasonOf(failure),
    at: context.clock.now(),
    end,
  });
  return end === 'in sink';
}

/** To the dead letter sink, with the same retries as to the subscriber. */
async function handOver(
  context: DeliveryContext,
  { route, passage }: Burial,
  event: CloudEvent,
): Promise<DeadLetter['end']> {
  const sink = route.delivery.deadLetterSink;
  if (sink === undefined) return 'no sink';
  const headers = { ...passage.headers, 'Kn-Namespace': route.namespace };
  const request = { url: sink, event, headers, ...terms(route, passage) };
  const [outcome] = await retrying(context, request, () => attempt(context.post, context.clock, request));
  return outcome.kind === 'failed' ? 'sink failed' : 'in sink';
}

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
  /** Where it ended: a dead letter sink took it, the sink failed too, or there is none. */
  end: 'in sink' | 'sink failed' | 'no sink';
}

const keptErrorBytes = 1024;

/** The event with what went wrong and where, as a dead letter sink receives it. */
function explained(event: CloudEvent, failure: Failure, destination: string): CloudEvent {
  if (failure.unexplained === true) return event;
  return withAttributes(event, {
    knativeerrordest: destination,
    knativeerrorcode: String(failure.status),
    knativeerrordata: Buffer.from(failure.body.subarray(0, keptErrorBytes)).toString('base64'),
  });
}

const reasonOf = (failure: Failure): string =>
  failure.unexplained === true
    ? 'the success had a body that is not a CloudEvent'
    : Buffer.from(failure.body.subarray(0, keptErrorBytes)).toString() || `status ${failure.status}`;
