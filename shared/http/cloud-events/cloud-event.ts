import { HTTP, CloudEvent as SdkEvent } from 'cloudevents';
import * as z from 'zod';
import type { CloudEvent } from '../../../events/envelope.ts';
import type { Headers } from '../message.ts';
import {
  fromBase64,
  isJson,
  MalformedEvent,
  modeOf,
  parseData,
  parseJson,
  toCloudEvent,
} from './well-formed.ts';

/** Reads an HTTP message in binary or structured mode. Throws MalformedEvent, naming what is wrong. */
export function readCloudEvent(headers: Headers, body: Uint8Array): CloudEvent {
  const contentType = headers['content-type'];
  if (modeOf(contentType) === 'structured') return fromStructured(body);
  if (!Object.keys(headers).some((name) => name.startsWith('ce-'))) {
    throw new MalformedEvent(
      'headers',
      'not a CloudEvent: no ce-* headers, nor application/cloudevents+json',
    );
  }
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('ce-') && value !== undefined)
      attributes[name.slice(3)] = decodeHeaderValue(name, value);
  }
  // In binary mode this attribute is the Content-Type header and no other.
  delete attributes.datacontenttype;
  if (contentType !== undefined) attributes.datacontenttype = contentType;
  return toCloudEvent(attributes, parseData(body, contentType));
}

export interface BinaryMessage {
  headers: Record<string, string>;
  body: string;
}

/** The trace that an event belongs to is also that of its hop. */
function hop({ traceparent, tracestate }: CloudEvent): Record<string, string> {
  const context = typeof traceparent === 'string' ? { traceparent } : {};
  return typeof tracestate === 'string' ? { ...context, tracestate } : context;
}

/** The event in binary mode, its values encoded as headers demand. Throws if it is not a valid event. */
export function toBinary(event: CloudEvent): BinaryMessage {
  const message = HTTP.binary(new SdkEvent(event, true));
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value === undefined) continue;
    headers[name.toLowerCase()] = name.startsWith('ce-') ? encodeHeaderValue(String(value)) : String(value);
  }
  return {
    headers: { ...headers, ...hop(event) },
    body: typeof message.body === 'string' ? message.body : '',
  };
}

/** Reads an event from its JSON form. Throws MalformedEvent. */
function fromStructured(body: Uint8Array): CloudEvent {
  const json = z.record(z.string(), z.unknown()).safeParse(parseJson(body, 'body'));
  if (!json.success) throw new MalformedEvent('body', 'must be a JSON object');
  const { data, data_base64: encoded, ...rest } = json.data;
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (value !== null) attributes[name] = canonical(name, value);
  }
  return toCloudEvent(attributes, dataOf(data, encoded, attributes.datacontenttype));
}

/** The text that the same value has in a header. */
function canonical(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isInteger(value)) return String(value);
  throw new MalformedEvent(name, 'must be text, a whole number, true or false');
}

function dataOf(data: unknown, encoded: unknown, contentType: string | undefined): unknown {
  if (encoded === undefined || encoded === null) {
    if (data === undefined || data === null) return undefined;
    if (contentType === undefined || isJson(contentType)) return data;
    throw new MalformedEvent('datacontenttype', `${JSON.stringify(contentType)} is not JSON`);
  }
  if (data !== undefined) throw new MalformedEvent('data_base64', 'cannot be there beside data');
  if (typeof encoded !== 'string') throw new MalformedEvent('data_base64', 'must be text');
  return parseData(fromBase64(encoded), contentType);
}

/**
 * An attribute's value as a header carries it. Space, quote, percent and all outside printable ASCII are
 * percent-encoded UTF-8 (CloudEvents HTTP binding 3.1.3.2).
 */
export const encodeHeaderValue = (value: string): string =>
  value.replaceAll(/[^\x21\x23\x24\x26-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()));

/**
 * The value that a header carries, by the same rule: first unquoted, for senders of older versions, then decoded
 * once. A percent sign that begins no code stands for itself.
 */
export function decodeHeaderValue(name: string, value: string): string {
  try {
    return unquoted(value).replaceAll(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
  } catch {
    throw new MalformedEvent(name, `${JSON.stringify(value)} is not percent-encoded UTF-8`);
  }
}

function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(value)?.[1];
  return quoted === undefined ? value : quoted.replaceAll(/\\(.)/g, '$1');
}
