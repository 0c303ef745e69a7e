import type { Machine } from './machine.ts';

/** Where in a distributed trace something happens, in the words of W3C Trace Context. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}

/** The deletion's trace, so that a sweep or another instance goes on with the same one. */
export const traceAnnotation = 'phaseout.dev/trace';

/** A later version than 00 may have more behind the flags; ff is none. */
const parts =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?<ids>(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?<more>-.*)?$/;

/**
 * The context that two headers, attributes or annotations name, in version 00. Undefined when they name none that can be
 * used.
 */
export function traceContext(traceparent: string | undefined, tracestate?: string): TraceContext | undefined {
  const { version, ids, more } = parts.exec(traceparent ?? '')?.groups ?? {};
  if (ids === undefined || (version === '00' && more !== undefined)) return undefined;
  const context = { traceparent: `00-${ids}` };
  return tracestate === undefined || tracestate === '' ? context : { ...context, tracestate };
}

/** Its name alone, by which logs and traces are found from one another. */
export const traceId = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35);

/** The trace of a Machine's deletion, if it has one. */
export const traceOf = ({ annotations }: Pick<Machine, 'annotations'>): TraceContext | undefined =>
  traceContext(annotations[traceAnnotation]);
