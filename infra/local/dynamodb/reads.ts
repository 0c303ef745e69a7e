import * as z from 'zod';
import { firstIndex } from '../kubernetes/objects/store.ts';
import { Expression } from './expression.ts';
import { checkKey, checkOnlyKeys, namesOf } from './keys.ts';
import { itemField, Placeholders, placeholders, tableName } from './parsed.ts';
import { invalid } from './refusal.ts';
import { readStretch, type Stretch } from './stretch.ts';
import type { Table } from './tables.ts';
import { attributeOf, type Item, sizeOf } from './value.ts';
import type { View } from './view.ts';

const ofTable = { TableName: tableName };

export const readSchemas = {
  GetItem: z.strictObject({ ...ofTable, Key: itemField, ConsistentRead: z.boolean().optional() }),
  Scan: z.strictObject(ofTable),
  Query: z.strictObject({
    ...ofTable,
    IndexName: z.string().optional(),
    KeyConditionExpression: z.string(),
    ConsistentRead: z.boolean().optional(),
    Limit: z.int().min(1).optional(),
    ExclusiveStartKey: itemField.optional(),
    ...placeholders,
  }),
};

type QueryInput = z.output<typeof readSchemas.Query>;

export function get(table: Table, { Key }: z.output<typeof readSchemas.GetItem>): object {
  checkOnlyKeys(Key, table.primary.keys, table.types);
  return { Item: table.primary.find(Key) };
}

/** In one answer, however much there is. */
export function scan(table: Table): object {
  const Items = table.primary.all();
  return { Items, Count: Items.length, ScannedCount: Items.length };
}

export function query(table: Table, input: QueryInput): object {
  const given = new Placeholders(input);
  const view = viewOf(table, input);
  const expression = new Expression('KeyConditionExpression', input.KeyConditionExpression, given);
  const stretch = readStretch(expression, view.keys, table.types);
  given.checkAllUsed();
  const names = new Set([...namesOf(table.primary.keys), ...namesOf(view.keys)]);
  const { ExclusiveStartKey: start } = input;
  if (start !== undefined) checkStart(start, names, table);
  const { items, last } = page(view, stretch, { start, limit: input.Limit ?? Infinity });
  const LastEvaluatedKey =
    last && Object.fromEntries(Object.entries(last).filter(([name]) => names.has(name)));
  return { Items: items, Count: items.length, ScannedCount: items.length, LastEvaluatedKey };
}

function viewOf(table: Table, { IndexName, ConsistentRead }: QueryInput): View {
  if (IndexName === undefined) return table.primary;
  const index = table.indexes.get(IndexName);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${IndexName}`);
  if (ConsistentRead !== true) return index;
  throw invalid('Consistent reads are not supported on global secondary indexes');
}

function checkStart(start: Item, names: ReadonlySet<string>, { types }: Table): void {
  const given = Object.keys(start);
  const isWhole = given.length === names.size && given.every((name) => names.has(name));
  if (!isWhole) throw invalid('The provided starting key is invalid');
  for (const [name, value] of Object.entries(start)) checkKey(name, value, types);
}

const largestPageBytes = 1024 * 1024;

interface Page {
  items: Item[];
  /** With which it ends, unless it has come to the end of the stretch. */
  last: Item | undefined;
}

/** What it starts after need not be there any more. A full page may be followed by nothing. */
function page(
  view: View,
  { hash, position }: Stretch,
  { start, limit }: { start: Item | undefined; limit: number },
): Page {
  const { hash: hashName, range = '' } = view.keys;
  const partition = view.partition({ [hashName]: hash });
  const placeOf = (item: Item): number => position(attributeOf(item, range));
  const isBehindStart = (item: Item): boolean => start === undefined || view.compare(item, start) > 0;
  const from = firstIndex(partition, (item) => placeOf(item) >= 0 && isBehindStart(item));
  const items: Item[] = [];
  let bytes = 0;
  for (let index = from; index < partition.length; index += 1) {
    const item = partition[index];
    if (item === undefined || placeOf(item) > 0) break;
    items.push(item);
    bytes += sizeOf(item);
    if (items.length >= limit || bytes > largestPageBytes) return { items, last: item };
  }
  return { items, last: undefined };
}
