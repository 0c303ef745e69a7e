import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import { tableDefinition } from '../../../shared/adapters/dynamodb/table.ts';
import { checkValue, kindOf } from './attribute-values.ts';
import { invalid } from './refusals.ts';
import type { Keys } from './view.ts';

interface KeySchemaEntry {
  AttributeName: string;
  KeyType: 'HASH' | 'RANGE';
}

/** As the table is defined, so that a definition that changes is simulated as it has become. */
function keysIn(schema: readonly KeySchemaEntry[]): Keys {
  const named = (type: KeySchemaEntry['KeyType']): string =>
    schema.find(({ KeyType }) => KeyType === type)?.AttributeName ?? '';
  return { hash: named('HASH'), range: named('RANGE') };
}

export const tableKeys: Keys = keysIn(tableDefinition.KeySchema);

export const indexKeys: ReadonlyMap<string, Keys> = new Map(
  tableDefinition.GlobalSecondaryIndexes.map(({ IndexName, KeySchema }) => [IndexName, keysIn(KeySchema)]),
);

const typeOf = new Map<string, string>(
  tableDefinition.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [
    AttributeName,
    AttributeType,
  ]),
);

/** Whether the value may stand for that key, as DynamoDB asks of writes and of queries. */
export function checkKey(name: string, value: AttributeValue | undefined): void {
  if (value === undefined) throw invalid(`One of the required keys was not given a value: ${name}`);
  if (kindOf(value) !== typeOf.get(name)) throw invalid(`Type mismatch for key ${name}`);
  if (value.S === '')
    throw invalid(`The AttributeValue for a key attribute cannot contain an empty string value: ${name}`);
}

/** The keys of the table, and nothing else. */
export function checkPrimaryKey(key: Item): void {
  checkKey(tableKeys.hash, key[tableKeys.hash]);
  checkKey(tableKeys.range, key[tableKeys.range]);
  if (Object.keys(key).length !== 2) throw invalid('The provided key element does not match the schema');
}

/**
 * Checks an item to store. It must have the keys of the table. Keys of an index may be absent, but must have the right
 * type.
 */
export function checkItem(item: Item): void {
  checkKey(tableKeys.hash, item[tableKeys.hash]);
  checkKey(tableKeys.range, item[tableKeys.range]);
  for (const [name, value] of Object.entries(item)) {
    if (typeOf.has(name)) checkKey(name, value);
    checkValue(value);
  }
}
