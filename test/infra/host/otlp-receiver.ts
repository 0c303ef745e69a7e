import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'vitest';
import * as z from 'zod';

const value = z.object({
  stringValue: z.string().optional(),
  intValue: z.coerce.number().optional(),
  boolValue: z.boolean().optional(),
});
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .default([])
  .transform((pairs) =>
    Object.fromEntries(
      pairs.map(({ key, value: { stringValue, intValue, boolValue } }) => [
        key,
        stringValue ?? intValue ?? boolValue,
      ]),
    ),
  );
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }).optional(),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

type ReceivedSpan = z.infer<typeof span>;

/** A collector of traces that takes OTLP in JSON. */
export interface OtlpReceiver {
  /** The endpoint of everything, as `OTEL_EXPORTER_OTLP_ENDPOINT` has it. */
  url: string;
  paths: string[];
  spans: ReceivedSpan[];
  resources: Record<string, unknown>[];
}

/** On loopback, closed when the test is over. */
export async function otlpReceiver({
  onTestFinished,
}: Pick<TestContext, 'onTestFinished'>): Promise<OtlpReceiver> {
  const received: OtlpReceiver = { url: '', paths: [], spans: [], resources: [] };
  const server = createServer((message, response) => {
    const kept = text(message).then((body) => keep(received, message.url ?? '', body));
    void kept.then(() => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => void server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  return Object.assign(received, { url: `http://127.0.0.1:${address.port}` });
}

function keep(received: OtlpReceiver, path: string, body: string): void {
  received.paths.push(path);
  for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans) {
    received.resources.push(resource.attributes);
    received.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
  }
}
