import { createUnderWay } from '../../../shared/async/under-way.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { type Matcher, matcherOf } from '../../serverless/matcher.ts';
import type { Delivery, Selection } from '../../serverless/model.ts';
import { effectiveDelivery } from './attempt.ts';
import { type DeadLetter, type DeliveryContext, deliver, type Passage, type Route } from './delivery.ts';
import { arrive, type CloudEvent } from './event.ts';
import type { Headers } from './http-binding.ts';
import { createPool, type Post } from './post.ts';

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

interface Publication {
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

const defaultName = 'default';
const keptDeadLetters = 1000;

/**
 * A channel-based Knative Broker in one process. Every Trigger that matches gets the event by itself. Nothing is kept
 * over a restart. Throws CesqlSyntaxError if a Trigger's filter cannot be read.
 */
export function createBroker(options: BrokerOptions): Broker {
  const { clock, namespace = defaultName, name = defaultName, async = false } = options;
  const { post, close } = options.post === undefined ? createPool() : lent(options.post);
  const routes = options.triggers.map((trigger) => routeOf(trigger, options));
  const letters: DeadLetter[] = [];
  const inFlight = createUnderWay<CloudEvent>();
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

  async function publish(event: CloudEvent, headers: Headers = {}, gone?: AbortSignal): Promise<Publication> {
    const arrival = arrive(event, clock.now());
    if (arrival.kind === 'refused') return { status: 400, problem: arrival.problem };

    // A publisher that was answered already may go without ending anything.
    const signals = async || gone === undefined ? [closing.signal] : [closing.signal, gone];
    const passage = { event: arrival.event, headers, signal: AbortSignal.any(signals) };
    const delivered = inFlight.during(arrival.event, () => fanOut(context, routes, passage));
    if (async || (await delivered)) return { status: 202 };
    return { status: 500, problem: 'a Trigger could not deliver the event' };
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

function routeOf(trigger: LocalTrigger, { delivery, namespace = defaultName }: BrokerOptions): FilteredRoute {
  const route: Route = {
    trigger: trigger.name,
    namespace: trigger.namespace ?? namespace,
    subscriber: trigger.subscriber,
    delivery: effectiveDelivery(trigger.delivery, delivery),
  };
  return { route, matches: matcherOf(trigger) };
}

interface FilteredRoute {
  matches: Matcher;
  route: Route;
}

const limitMilliseconds = 15 * 60_000;

/** Delivers to every Trigger that matches, side by side. True unless one of them lost the event. */
async function fanOut(
  context: DeliveryContext,
  routes: readonly FilteredRoute[],
  { signal, ...rest }: Passage,
): Promise<boolean> {
  const limit = new AbortController();
  const takeBack = context.clock.after(limitMilliseconds, () =>
    limit.abort(new Error('the fan-out timed out')),
  );
  const passage = { ...rest, signal: AbortSignal.any([signal, limit.signal]) };
  const matching = routes.filter(({ matches }) => matches(rest.event.attributes));
  try {
    const outcomes = await Promise.all(matching.map(({ route }) => deliver(context, route, passage)));
    return outcomes.every(Boolean);
  } finally {
    takeBack();
  }
}
