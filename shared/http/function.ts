import withMiddleware from '@middy/core';
import type { CloudEvent } from '../../events/envelope.ts';
import { namedMachine, namedTrace } from '../../events/machine-of-event.ts';
import { type EventOf, type EventType, isFact, type OutEvent } from '../../events/types.ts';
import { traceContext, traceId } from '../machine/trace-context.ts';
import type { InstanceLog } from '../runtime/log.ts';
import { ofMachine, withTraceLog } from '../runtime/telemetry.ts';
import { type Attributes, noTracing, type SpanOptions } from '../runtime/tracing.ts';
import { readCloudEvent, toBinary } from './cloud-events/cloud-event.ts';
import type { FunctionContext, RequestContext } from './context.ts';
import type { Headers, HttpRequest, HttpResponse } from './message.ts';
import { answering, bodyOf, type Delivery, inTime, reading } from './middleware.ts';

/** Answers a request to one function; never rejects. */
export type Handler = (request: HttpRequest, context: FunctionContext) => Promise<HttpResponse>;
/** What a function answers: nothing, its reply, or several events, one of them the reply. */
export type Reply = OutEvent | readonly OutEvent[] | undefined;
export type Run<T extends EventType> = (event: EventOf<T>, context: RequestContext) => Promise<Reply>;

/** A function that takes events of these types, with all that stands between it and HTTP. */
export function defineFunction<T extends EventType>(types: readonly T[], run: Run<T>): Handler {
  const handler = withMiddleware<Delivery<T>, HttpResponse, Error, FunctionContext>(
    (delivery: Delivery<T>, context: FunctionContext) =>
      inTime(context, (signal) => answerOf(run, delivery, context, signal)),
    // It would go by a clock of its own.
    { timeoutEarlyInMillis: 0 },
  ).use([answering<T>(), reading<T>(types)]);
  return (request, context) => handler({ request }, context);
}

async function answerOf<T extends EventType>(
  run: Run<T>,
  { request: { headers }, cloudEvent, event }: Delivery<T>,
  context: FunctionContext,
  signal: AbortSignal,
): Promise<HttpResponse> {
  if (cloudEvent === undefined || event === undefined) throw new Error('the event was not validated');
  countAge(context, cloudEvent);
  const { requestId, clock, reserveCapacity } = context;
  const emit = (said: OutEvent, sooner?: AbortSignal): Promise<void> =>
    context.emit(said, sooner === undefined ? signal : AbortSignal.any([signal, sooner]));
  const about = { requestId, clock, signal, readsReply: readsReply(headers), reserveCapacity, emit };
  return traceDelivery(context, { headers, event: cloudEvent }, async (log) =>
    reply(await run(event, { ...about, log }), emit),
  );
}

/** How long an event was on its way, since it was sent and since a Broker had it. */
function countAge({ metrics, clock }: FunctionContext, { type, time, ...event }: CloudEvent): void {
  const arrival = event['knativearrivaltime'];
  for (const [since, stamp] of Object.entries({ sent: time, broker: arrival })) {
    const at = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
    // Clocks differ: an event from the future has just been sent.
    if (!Number.isNaN(at))
      metrics.observe('eventAge', { type, since }, Math.max(0, clock.now() - at) / 1_000);
  }
}

/**
 * Whether the sender takes an event in the answer for a new one, and says so (`Prefer: reply`). Brokers do, except
 * RabbitMQ's. A source that is bound to a function without a Broker drops the answer.
 */
export const readsReply = ({ prefer = '' }: Headers): boolean => /(?:^|,)\s*reply\s*(?:[;,]|$)/i.test(prefer);

/**
 * The answer to a request that went well: an empty 204, or the event that is the reply. A broker takes any other
 * body for a failure. The first command is the reply: so a deletion goes on where no sink is known. All other events
 * are emitted before.
 */
async function reply(said: Reply, emit: (event: OutEvent) => Promise<void>): Promise<HttpResponse> {
  const events = said === undefined ? [] : [said].flat();
  const answer = events.find((event) => !isFact(event)) ?? events[0];
  await Promise.all(events.filter((event) => event !== answer).map((event) => emit(event)));
  if (answer === undefined) return { status: 204, headers: {}, body: '' };
  return { status: 200, ...toBinary(answer) };
}

/** Runs a function within the trace that its event belongs to. The lines of its log name the trace. */
function traceDelivery<T>(
  { tracing, function: name, log }: FunctionContext,
  { headers, event }: { headers: Headers; event: CloudEvent },
  run: (log: InstanceLog) => Promise<T>,
): Promise<T> {
  // Without tracing, the trace of an event has no reader.
  if (tracing === noTracing) return run(log);
  const attributes = { 'phaseout.function': name, ...ofEvent(event) };
  const options = { kind: 'consumer', attributes, ...origin(headers, event) } as const;
  return tracing.span(name, options, () => run(withTraceLog(log, tracing)));
}

/**
 * The headers name the trace of the last hop, the event its own. Where a broker or a source has begun another trace on
 * the way, the event's goes on.
 */
function origin(headers: Headers, event: CloudEvent): Pick<SpanOptions, 'parent' | 'link'> {
  const hop = traceContext(headers['traceparent'], headers['tracestate']);
  const own = namedTrace(event);
  if (hop === undefined || own === undefined) return { parent: hop ?? own };
  return traceId(hop) === traceId(own) ? { parent: hop } : { parent: own, link: hop };
}

/** In the words of OpenTelemetry's conventions for CloudEvents. */
function ofEvent(event: CloudEvent): Attributes {
  const machine = namedMachine(event);
  return {
    'cloudevents.event_id': event.id,
    'cloudevents.event_source': event.source,
    'cloudevents.event_type': event.type,
    'cloudevents.event_subject': event.subject,
    ...(machine === undefined ? {} : ofMachine(machine)),
  };
}

/** The query of the address says more about the event: a Broker, its sender, adds nothing to the event itself. */
type Hear = (event: CloudEvent, log: InstanceLog, query: URLSearchParams) => Promise<void>;

/**
 * A function that takes events of every type and sends no reply. It always answers with an empty 204. An event that it
 * could not handle must not come back as another dead letter.
 */
export function defineListener(hear: Hear): Handler {
  return async (request, context) => {
    try {
      const event = readCloudEvent(request.headers, await bodyOf(request, context));
      const query = new URLSearchParams(request.query);
      await traceDelivery(context, { headers: request.headers, event }, (log) => hear(event, log, query));
    } catch (error) {
      context.log.warn('Event was not understood', { error });
    }
    return { status: 204, headers: {}, body: '' };
  };
}
