import type { Clock } from '../../../shared/clock.ts';
import type { Delivery, Selection } from '../../serverless/model.ts';
import type { DeadLetter } from './dead-letter.ts';
import { type DeliveryContext, deliver, type Route } from './delivery.ts';
import { type CloudEvent, eventProblem, withAttributes } from './event.ts';
import { type Matcher, matcherOf } from './filter.ts';
import { hopsExtension, hopsLeft } from './hops.ts';
import type { Headers } from './http-binding.ts';
import { createInFlight } from './in-flight.ts';
import { createPool, type Post } from './post.ts';
import { effectiveDelivery } from './retry.ts';

/** A Trigger whose subscriber has an address. */
export interface LocalTrigger extends Selection {
  name: string;
  namespace?: string;
  /** Absolute URL. */
  subscriber: string;
  delivery?: Delivery;
}

export interface BrokerOptions {
  clock: Clock;
  triggers: LocalTrigger[];
  /** Of the Broker; Knative's default of ten retries if there is none. */
  delivery?: Delivery;
  namespace?: string;
  name?: string;
  /** Answers publishers at once and delivers afterwards, in no order: `messaging.knative.dev/async-handler`. */
  async?: boolean;
  post?: Post;
  /** Told of every event a Trigger could not deliver, dead letter sink or not. */
  onDeadLetter?: (letter: DeadLetter) => void;
}

export interface Publication {
  status: 202 | 400 | 500;
  problem?: string;
}

export interface Broker {
  /** What the ingress answers an event with. `signal` is the publisher going away. */
  publish(event: CloudEvent, headers?: Headers, signal?: AbortSignal): Promise<Publication>;
  /** The latest of them, oldest first. */
  deadLetters(): readonly DeadLetter[];
  /** Resolves once nothing is being delivered. */
  idle(): Promise<void>;
  /** Calls off what is in flight, which becomes dead letters, and lets connections go. */
  close(): Promise<void>;
}

const keptDeadLetters = 1000;
const fanOutMilliseconds = 15 * 60_000;

/**
 * A channel-based Knative Broker in one process: every Trigger that matches gets the event, by itself, and nothing is
 * kept over a restart. Throws CesqlSyntaxError if a Trigger's filter cannot be read.
 */
export function createBroker(options: BrokerOptions): Broker {
  const { clock, namespace = 'default', name = 'default' } = options;
  const { post, close } = options.post === undefined ? createPool() : lent(options.post);
  const routes = options.triggers.map((trigger) => routeOf(trigger, options));
  const letters: DeadLetter[] = [];
  const inFlight = createInFlight();
  const closing = new AbortController();

  const context: DeliveryContext = {
    post,
    clock,
    ingressUrl: `http://broker-ingress.knative-eventing.svc.cluster.local/${namespace}/${name}`,
    republish: async (event, headers, signal) => (await publish(event, headers, signal)).status,
    buried(letter) {
      letters.push(letter);
      if (letters.length > keptDeadLetters) letters.shift();
      options.onDeadLetter?.(letter);
    },
  };

  async function publish(
    event: CloudEvent,
    headers: Headers = {},
    signal?: AbortSignal,
  ): Promise<Publication> {
    const hops = hopsLeft(event);
    const problem = eventProblem(event) ?? (hops === 0 ? `${hopsExtension}: no hops are left` : undefined);
    if (problem !== undefined) return { status: 400, problem };

    const arrived = withAttributes(event, {
      [hopsExtension]: String(hops),
      knativearrivaltime: new Date(clock.now()).toISOString(),
    });
    const publisher = options.async === true ? undefined : signal;
    const delivered = inFlight.track(fanOut(arrived, headers, publisher));
    if (options.async === true || (await delivered)) return { status: 202 };
    return { status: 500, problem: 'a Trigger could not deliver the event' };
  }

  async function fanOut(event: CloudEvent, headers: Headers, publisher?: AbortSignal): Promise<boolean> {
    const limit = new AbortController();
    const takeBack = clock.after(fanOutMilliseconds, () => limit.abort(new Error('the fan-out timed out')));
    const signals = [closing.signal, limit.signal, ...(publisher === undefined ? [] : [publisher])];
    const passage = { event, headers, signal: AbortSignal.any(signals) };
    const matching = routes.filter(({ matches }) => matches(event.attributes));
    try {
      const outcomes = await Promise.all(matching.map(({ route }) => deliver(context, route, passage)));
      return outcomes.every(Boolean);
    } finally {
      takeBack();
    }
  }

  return {
    publish,
    deadLetters: () => letters,
    idle: () => inFlight.idle(),
    async close() {
      closing.abort(new Error('the broker was closed'));
      await inFlight.idle();
      await close();
    },
  };
}

const lent = (post: Post) => ({ post, close: () => Promise.resolve() });

function routeOf(trigger: LocalTrigger, { delivery, namespace = 'default' }: BrokerOptions) {
  const route: Route = {
    trigger: trigger.name,
    namespace: trigger.namespace ?? namespace,
    subscriber: trigger.subscriber,
    delivery: effectiveDelivery(trigger.delivery, delivery),
  };
  const matches: Matcher = matcherOf(trigger);
  return { route, matches };
}
