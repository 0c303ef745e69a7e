import type * as z from 'zod';
import type { CloudEvent } from './envelope.ts';
import { type EventOf, type EventType, eventSchemas } from './types.ts';

export type EventReading<T extends EventType> =
  | { kind: 'event'; event: EventOf<T> }
  /** `field` is the attribute or the path into the data, `why` what is wrong with it. */
  | { kind: 'malformed'; field: string; why: string };

/** Reads an event as one of `types`; never throws. */
export function parseEvent<T extends EventType>(event: CloudEvent, types: readonly T[]): EventReading<T> {
  const type = types.find((candidate) => candidate === event.type);
  if (type === undefined) return { kind: 'malformed', field: 'type', why: whyNotTaken(event.type, types) };
  // Every value of the map belongs to its own key; the compiler does not follow that through a type parameter.
  const schemas: { [K in EventType]: z.ZodType<EventOf<K>> } = eventSchemas;
  const parsed = schemas[type].safeParse(event);
  if (parsed.success) return { kind: 'event', event: parsed.data };
  const issue = parsed.error.issues[0];
  return { kind: 'malformed', field: issue?.path.join('.') || 'event', why: issue?.message ?? 'invalid' };
}

function whyNotTaken(type: string, types: readonly string[]): string {
  const advice = type.startsWith('dev.knative.apiserver.ref.')
    ? '; the ApiServerSource must have mode Resource, not Reference'
    : '';
  return `${JSON.stringify(type)} is not taken here, only ${types.join(', ')}${advice}`;
}
