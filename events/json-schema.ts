import * as z from 'zod';
import { type EventType, eventSchemas } from './types.ts';

/** The JSON Schema of a type of event in structured mode, for consumers in other languages. */
export function jsonSchemaOf(type: EventType): object {
  return z.toJSONSchema(eventSchemas[type], {
    // A consumer that refused unknown fields would break when one is added.
    io: 'input',
    override({ jsonSchema }) {
      // The format says it. A calendar as a regular expression is no help to readers.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}
