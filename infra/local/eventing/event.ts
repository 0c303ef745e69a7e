import type { Instant } from '../../../shared/time/clock.ts';

/**
 * A CloudEvent as the broker carries it. Attributes and extensions are text, and the data is bytes that it does not
 * read. `datacontenttype` is an attribute like any other.
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

export const hopsExtension = 'knativebrokerttl';
const initialHops = 255;

type Arrival = { kind: 'taken'; event: CloudEvent } | { kind: 'refused'; problem: string };

/** What the ingress makes of an event. It marks the time of arrival and the hops left, or refuses the event. */
export function arrive(event: CloudEvent, now: Instant): Arrival {
  const hops = hopsLeft(event);
  const problem = eventProblem(event) ?? (hops === 0 ? `${hopsExtension}: no hops are left` : undefined);
  if (problem !== undefined) return { kind: 'refused', problem };

  const marks = { [hopsExtension]: String(hops), knativearrivaltime: new Date(now).toISOString() };
  return { kind: 'taken', event: withAttributes(event, marks) };
}

/**
 * How many hops through the Broker an arriving event has left. A new one has 255, and each reply takes one. At 0 it
 * is refused. That ends a function that answers its own event type.
 */
function hopsLeft({ attributes }: CloudEvent): number {
  const carried = attributes[hopsExtension];
  if (carried === undefined || !/^[+-]?\d+$/.test(carried)) return initialHops;
  return Math.max(Number(carried) - 1, 0);
}
