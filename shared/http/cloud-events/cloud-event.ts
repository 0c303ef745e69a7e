import { HTTP, CloudEvent as SdkEvent } from 'cloudevents';
import type { CloudEvent } from '../../../events/envelope.ts';
import type { Headers } from '../message.ts';
import { toCloudEvent } from './attributes.ts';
import { parseData } from './data.ts';
import { decodeHeaderValue, encodeHeaderValue } from './header-value.ts';
import { MalformedEvent } from './malformed-event.ts';
import { modeOf } from './media-type.ts';
import { fromStructured } from './structured.ts';

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
