import type { CloudEvent } from './event.ts';

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

const structuredJson = 'application/cloudevents+json';

const isStructured = (contentType: string | undefined): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === structuredJson;

/** Reads an event from its JSON form. */
function fromStructured(body: Uint8Array): Reading {
  const fields = parseObject(body);
  if (fields?.specversion === undefined) {
    return { kind: 'broken', problem: 'not a structured CloudEvent: no JSON object with a specversion' };
  }
  const { data, data_base64: base64, ...rest } = fields;
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (value !== null) attributes[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  if (typeof base64 === 'string') {
    return { kind: 'event', event: { attributes, data: Buffer.from(base64, 'base64') } };
  }
  // Data without a type is JSON by the JSON event format; said aloud once the envelope is gone.
  if (data !== undefined) attributes.datacontenttype ??= 'application/json';
  return { kind: 'event', event: { attributes, data: dataBytes(data, attributes.datacontenttype) } };
}

/** The event in structured mode, for Triggers with `delivery.format: json`. */
export function structured(event: CloudEvent): { headers: Record<string, string>; body: Uint8Array } {
  const { specversion, id, source, type, datacontenttype, ...rest } = event.attributes;
  const envelope = { specversion, id, source, type, datacontenttype, ...dataField(event), ...rest };
  return { headers: { 'Content-Type': structuredJson }, body: Buffer.from(JSON.stringify(envelope)) };
}

function parseObject(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function dataBytes(data: unknown, contentType: string | undefined): Uint8Array {
  if (data === undefined) return new Uint8Array();
  if (typeof data === 'string' && !isJson(contentType)) return Buffer.from(data);
  return Buffer.from(JSON.stringify(data));
}

function dataField({ attributes, data }: CloudEvent): Record<string, unknown> {
  if (data.length === 0) return {};
  const bytes = Buffer.from(data);
  if (!isJson(attributes.datacontenttype)) return { data_base64: bytes.toString('base64') };
  try {
    return { data: JSON.parse(bytes.toString()) };
  } catch {
    return { data_base64: bytes.toString('base64') };
  }
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^[^;]*[/+]json\s*(;|$)/i.test(contentType);

type Reading =
  | { kind: 'event'; event: CloudEvent }
  /** Says it is an event and cannot be read as one. */
  | { kind: 'broken'; problem: string }
  /** Does not say it is an event. */
  | { kind: 'other' };

/** Headers that come more than once are one, with a comma between. */
export function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
