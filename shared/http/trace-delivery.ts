import type { CloudEvent } from '../../events/envelope.ts';
import { namedMachine, namedTrace } from '../../events/machine-of-event.ts';
import { traceContext, traceId } from '../machine/trace-context.ts';
import type { InstanceLog } from '../runtime/log.ts';
import { ofMachine, withTraceLog } from '../runtime/telemetry.ts';
import { type Attributes, noTracing, type SpanOptions } from '../runtime/tracing.ts';
import type { FunctionContext } from './context.ts';
import type { Headers } from './message.ts';

/** Runs a function on an event as part of the trace that the event belongs to, with a log whose lines name that. */
export function traceDelivery<T>(
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
 * The headers are of the last hop, the event says where it belongs. Where a broker or a source has begun a trace of its
 * own on the way, the event's is the one to go on with.
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
