import type * as z from 'zod';
import { advanceSchema } from './advance.ts';
import type { CloudEvent } from './envelope.ts';
import { factSchemas } from './fact-schemas.ts';
import { hookAnswerSchema } from './hook-answer.ts';
import { hookCallSchema } from './hook-call.ts';
import { pingSchema } from './ping.ts';
import { resourceAddSchema, resourceDeleteSchema, resourceUpdateSchema } from './resource.ts';

/** What phaseout takes from others. */
export const inSchemas = {
  'dev.knative.apiserver.resource.add': resourceAddSchema,
  'dev.knative.apiserver.resource.update': resourceUpdateSchema,
  'dev.knative.apiserver.resource.delete': resourceDeleteSchema,
  'dev.knative.sources.ping': pingSchema,
};

/** What phaseout asks of itself. */
export const commandSchemas = {
  'dev.phaseout.deletion.advance.v1': advanceSchema,
};

/** What phaseout asks the function of a DeletionHook. */
const callSchemas = {
  'dev.phaseout.hook.call.v1': hookCallSchema,
};

/** The conversation with the functions of DeletionHooks. */
export const hookSchemas = {
  ...callSchemas,
  'dev.phaseout.hook.answer.v1': hookAnswerSchema,
};

/** Every type of event there is, by its name. */
export const eventSchemas = { ...inSchemas, ...commandSchemas, ...factSchemas, ...hookSchemas };

/** `type` of an event that phaseout defines a schema for. */
export type EventType = keyof typeof eventSchemas;

/** The parsed event of one type, or of several. */
export type EventOf<T extends EventType> = { [K in T]: z.infer<(typeof eventSchemas)[K]> }[T];

/** An event that reports what phaseout has done or waits for. */
export type FactEvent = EventOf<keyof typeof factSchemas>;

/** What leaves phaseout. */
export type OutEvent = EventOf<
  keyof typeof commandSchemas | keyof typeof factSchemas | keyof typeof callSchemas
>;

/** Whether phaseout defines a schema for this `type`. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(eventSchemas, type);

/** Whether an event is a fact, not a command. */
export const isFact = (event: OutEvent): event is FactEvent => Object.hasOwn(factSchemas, event.type);

type EventReading<T extends EventType> =
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
