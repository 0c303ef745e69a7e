import * as z from 'zod';
import { namesOf, textOf } from './keys.ts';
import { itemField, tableName } from './parsed.ts';
import { invalid } from './refusal.ts';
import type { Tables } from './tables.ts';
import { attributeOf } from './value.ts';
import { checkItem } from './writes.ts';

const mostItems = 100;

/** Puts without a condition are all that is written together. */
export const transactionSchema = z.strictObject({
  TransactItems: z
    .array(z.strictObject({ Put: z.strictObject({ TableName: tableName, Item: itemField }) }))
    .min(1)
    .refine(
      ({ length }) => length <= mostItems,
      `Member must have length less than or equal to ${mostItems}: transactItems`,
    ),
  /** Who sends it twice may: such Puts come to the same. */
  ClientRequestToken: z.string().optional(),
});

/** All of it or, if it throws, nothing. Nothing comes in between, so that none is ever cancelled by another. */
export function transact(tables: Tables, { TransactItems }: z.output<typeof transactionSchema>): object {
  const puts = TransactItems.map(({ Put }) => ({ table: tables.active(Put.TableName), item: Put.Item }));
  const targets = new Set<string>();
  for (const { table, item } of puts) {
    checkItem(table, item);
    const keys = namesOf(table.primary.keys).map((name) => textOf(attributeOf(item, name)));
    targets.add(JSON.stringify([table.definition.TableName, ...keys]));
  }
  if (targets.size < puts.length)
    throw invalid('Transaction request cannot include multiple operations on one item');
  for (const { table, item } of puts) table.write(table.primary.find(item), item);
  return {};
}
