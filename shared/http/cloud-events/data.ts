import { MalformedEvent } from './malformed-event.ts';
import { isJson } from './media-type.ts';

/** The JSON value in an event's data; undefined when there are none. All that phaseout takes in is JSON. */
export function parseData(bytes: Uint8Array, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  // A source that names no type (a PingSource may) is taken at its word by whether it parses.
  if (contentType !== undefined && !isJson(contentType)) {
    throw new MalformedEvent('datacontenttype', `${JSON.stringify(contentType)} is not JSON`);
  }
  return parseJson(bytes, 'data');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJson(bytes: Uint8Array, field: string): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? `not JSON: ${error.message}` : 'not UTF-8';
    throw new MalformedEvent(field, why);
  }
}

/** Node's decoder skips what is not base64; an event that was damaged on its way must not pass as another. */
export function fromBase64(value: string): Uint8Array {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64') !== value) throw new MalformedEvent('data_base64', 'not base64');
  return bytes;
}
