import { createTraceState, type SpanContext } from '@opentelemetry/api';
import type { TraceContext } from '../../../shared/machine/trace-context.ts';

/** The SDK's form of a context that came from somewhere else. */
export function spanContextOf({ traceparent, tracestate }: TraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return tracestate === undefined ? context : { ...context, traceState: createTraceState(tracestate) };
}

/** The form in which a context travels. */
export function contextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  const tracestate = traceState?.serialize() ?? '';
  return tracestate === '' ? { traceparent } : { traceparent, tracestate };
}
