import type { CloudEvent } from './event.ts';
import { fromStructured, isStructured, type Reading } from './structured.ts';

/** Headers with lower-case names. */
export type Headers = Readonly<Record<string, string>>;

/** Reads an HTTP message in binary or structured mode. What it yields still needs `eventProblem`. */
export function fromHttp(headers: Headers, body: Uint8Array): Reading {
  const contentType = headers['content-type'];
  if (contentType?.startsWith('application/cloudevents-batch')) {
    return { kind: 'broken', problem: 'batches of events are not accepted' };
  }
  if (isStructured(contentType)) return fromStructured(body);
  // The spec version is what tells a binary event from any other message, as in the CloudEvents HTTP binding.
  if (headers['ce-specversion'] === undefined) return { kind: 'other' };

  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('ce-')) attributes[name.slice(3)] = decodeHeader(value);
  }
  if (contentType !== undefined) attributes.datacontenttype = contentType;
  return { kind: 'event', event: { attributes, data: body } };
}

/** The headers of the event in binary mode; its data is the body. */
export function binaryHeaders(event: CloudEvent): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.attributes)) {
    if (name === 'datacontenttype') headers['Content-Type'] = value;
    else headers[canonicalHeader(`ce-${name}`)] = encodeHeader(value);
  }
  return headers;
}

/** `ce-id` as Go writes it, `Ce-Id`: recordings and what runs here then compare name for name. */
export const canonicalHeader = (name: string): string =>
  name.replaceAll(/(^|-)([a-z])/g, (_match, dash: string, letter: string) => dash + letter.toUpperCase());

/** Space, quote, percent and everything outside printable ASCII, by the CloudEvents HTTP binding 3.1.3.2. */
const encodeHeader = (value: string): string =>
  value.replaceAll(/[^\x21\x23\x24\x26-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));

function decodeHeader(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // A lone percent sign was meant as itself: senders older than the encoding rule wrote values as they were.
    return value;
  }
}

const passed = /^(x-request-id|retry-after|traceparent|tracestate|knative-.+|x-b3-.+)$/;

/** The few request or reply headers that travel with an event through the Broker; all others end there. */
export function passedHeaders(headers: Headers): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => passed.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [canonicalHeader(name), value]));
}
