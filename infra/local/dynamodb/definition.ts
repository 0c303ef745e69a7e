import * as z from 'zod';
import { type Keys, type KeyType, namesOf } from './keys.ts';
import { tableName } from './parsed.ts';
import { invalid } from './refusal.ts';

const keySchema = z
  .array(z.strictObject({ AttributeName: z.string().min(1), KeyType: z.enum(['HASH', 'RANGE']) }))
  .refine(
    (keys) => ['HASH', 'HASH,RANGE'].includes(keys.map(({ KeyType }) => KeyType).join()),
    'a KeySchema is one HASH key, and one RANGE key after it or none',
  );

const index = z.strictObject({
  IndexName: z.string().min(3).max(255),
  KeySchema: keySchema,
  Projection: z.strictObject({ ProjectionType: z.literal('ALL') }),
});

/** What CreateTable says of the table. */
export const definitionSchema = z.strictObject({
  TableName: tableName,
  BillingMode: z.literal('PAY_PER_REQUEST'),
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string().min(1), AttributeType: z.enum(['S', 'N']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(index).min(1).optional(),
});

export type Definition = z.output<typeof definitionSchema>;

export function keysOf(schema: Definition['KeySchema']): Keys {
  const [hash, range] = schema.map(({ AttributeName }) => AttributeName);
  return { hash: hash ?? '', ...(range !== undefined && { range }) };
}

/** The types of all keys. Throws unless the definitions are those of the keys and of nothing else. */
export function keyTypesOf(definition: Definition): Map<string, KeyType> {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes = [] } = definition;
  const types = new Map(
    AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  );
  const schemas = [KeySchema, ...GlobalSecondaryIndexes.map((each) => each.KeySchema)];
  const used = new Set(schemas.flatMap((schema) => namesOf(keysOf(schema))));
  if (AttributeDefinitions.length === used.size && [...used].every((name) => types.has(name))) return types;
  throw invalid(
    'One or more parameter values were invalid: The AttributeDefinitions must be those of the keys of the table and of its indexes, once each',
  );
}
