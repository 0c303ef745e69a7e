import { MalformedEvent } from './malformed-event.ts';

/**
 * An attribute's value as a header carries it: space, quote, percent and all outside printable ASCII are
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
