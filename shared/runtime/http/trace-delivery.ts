import type { CloudEvent } from '../../../events/envelope.ts';
import { namedMachine } from '../../../events/named-machine.ts';
import { type TraceContext, traceContext } from '../../machine/trace.ts';
import { ofMachine } from '../traced.ts';
import type { Attributes, SpanOptions } from '../tracing.ts';
import type { FunctionContext } from './context.ts';
import type { Headers } from './message.ts';

/** Runs a function on an event as part of the trace that the event belongs to. */
export function traceDelivery<T>(
  { tracing, function: name }: FunctionContext,
  { headers, event }: { headers: Headers; event: CloudEvent },
  run: () => Promise<T>,
): Promise<T> {
  const attributes = { 'phaseout.function': name, ...ofEvent(event) };
  return tracing.span(name, { kind: 'consumer', attributes, ...origin(headers, event) }, run);
}

/**
 * The headers are of the last hop, the extension is of who made the event. Where a broker has begun a trace of its own
 * on the way, the event's is the one to go on with.
 */
function origin(
  headers: Headers,
  { traceparent, tracestate }: CloudEvent,
): Pick<SpanOptions, 'parent' | 'link'> {
  const hop = traceContext(headers['traceparent'], headers['tracestate']);
  const made = traceContext(textOf(traceparent), textOf(tracestate));
  if (hop === undefined || made === undefined) return { parent: hop ?? made };
  return traceId(hop) === traceId(made) ? { parent: hop } : { parent: made, link: hop };
}

const traceId = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

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
