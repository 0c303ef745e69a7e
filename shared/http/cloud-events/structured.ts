import * as z from 'zod';
import type { CloudEvent } from '../../../events/envelope.ts';
import { toCloudEvent } from './attributes.ts';
import { fromBase64, parseData, parseJson } from './data.ts';
import { MalformedEvent } from './malformed-event.ts';
import { isJson } from './media-type.ts';

/** Reads an event from its JSON form. Throws MalformedEvent. */
export function fromStructured(body: Uint8Array): CloudEvent {
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
