import * as z from 'zod';

/** A CloudEvent 1.0 with JSON data; every further attribute is an extension. */
export interface CloudEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  subject?: string;
  /** RFC 3339. */
  time?: string;
  datacontenttype?: string;
  data?: unknown;
  [extension: string]: unknown;
}

const nonEmpty = z.string().min(1);

/** CloudEvents' extension for distributed tracing. What is in it keeps no event from being one. */
const tracing = {
  traceparent: z.string().exactOptional().describe('W3C Trace Context of the sender, if it traces.'),
  tracestate: z.string().exactOptional(),
};

/**
 * The schema of one type of event: its attributes, extensions and data. Attributes it does not name (brokers add
 * some) are accepted and left out.
 */
export function defineEvent<T extends string, E extends z.ZodRawShape, D extends z.ZodType>(
  type: T,
  meaning: string,
  shape: { extensions: E; data: D },
) {
  return z
    .object({
      specversion: z.literal('1.0'),
      id: nonEmpty,
      source: nonEmpty,
      type: z.literal(type),
      subject: nonEmpty.exactOptional(),
      time: z.iso.datetime({ offset: true }).exactOptional(),
      datacontenttype: nonEmpty.exactOptional(),
      ...tracing,
      ...shape.extensions,
      data: shape.data,
    })
    .meta({ title: type, description: meaning });
}
