/**
 * A CloudEvent as the broker carries it: attributes and extensions as text, the data as bytes that it does not read.
 * `datacontenttype` is an attribute like any other.
 */
export interface CloudEvent {
  readonly attributes: Readonly<Record<string, string>>;
  readonly data: Uint8Array;
}

const required = ['id', 'source', 'type'] as const;
const attributeName = /^[a-z0-9]+$/;
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** What keeps an event from being one, in words; undefined if nothing does. */
export function eventProblem(event: CloudEvent): string | undefined {
  const { attributes } = event;
  // 0.3 is still taken in by the real ingress, so it is here.
  if (attributes.specversion !== '1.0' && attributes.specversion !== '0.3') {
    return `specversion: must be 1.0, not ${JSON.stringify(attributes.specversion ?? '')}`;
  }
  const missing = required.find((name) => !attributes[name]);
  if (missing !== undefined) return `${missing}: MUST be a non-empty string`;

  const misnamed = Object.keys(attributes).find((name) => !attributeName.test(name));
  if (misnamed !== undefined) return `${misnamed}: attribute names are lower-case letters and digits`;
  if (attributes.time !== undefined && !rfc3339.test(attributes.time)) return 'time: must be RFC 3339';
  return undefined;
}

/** The event with attributes set, or taken away where the value is undefined. */
export function withAttributes(
  event: CloudEvent,
  changes: Readonly<Record<string, string | undefined>>,
): CloudEvent {
  const merged = Object.entries({ ...event.attributes, ...changes });
  const kept = merged.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { attributes: Object.fromEntries(kept), data: event.data };
}

/** An attribute or extension by its name; names such as `constructor` are nothing special. */
export const attributeOf = (attributes: CloudEvent['attributes'], name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;
