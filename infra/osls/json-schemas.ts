import * as z from 'zod';
import { providerSchema } from '../serverless/provider-schema.ts';
import { eventSchemas, functionFields } from '../serverless/schema.ts';
import type { ProviderSchemas } from './framework.ts';

/** The part of our schemas that JSON Schema can express. The framework checks the file with them. */
export function jsonSchemas(): ProviderSchemas {
  const events = Object.entries(eventSchemas).map(([name, schema]) => [name, jsonSchemaOf(schema)]);
  return {
    // The framework adds the name.
    provider: jsonSchemaOf(providerSchema.omit({ name: true })),
    function: jsonSchemaOf(z.object(functionFields)),
    functionEvents: Object.fromEntries(events),
  };
}

function jsonSchemaOf(schema: z.ZodType): object {
  // What is a default for us need not be written, and what is only checked by code is checked when we read the file.
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}
