import * as z from 'zod';
import { holds, readCondition } from './condition.ts';
import { Expression } from './expression.ts';
import { checkHasKeys, checkKey, checkOnlyKeys, namesOf, textOf } from './keys.ts';
import { itemField, Placeholders, placeholders, tableName } from './parsed.ts';
import { conditionFailed, invalid } from './refusal.ts';
import type { Table, Tables } from './tables.ts';
import { readUpdate, updated } from './update.ts';
import { attributeOf, type Item, sizeOf } from './value.ts';

const conditional = {
  TableName: tableName,
  ConditionExpression: z.string().optional(),
  ...placeholders,
  ReturnValues: z.enum(['NONE', 'ALL_OLD']).optional(),
  ReturnValuesOnConditionCheckFailure: z.enum(['NONE', 'ALL_OLD']).optional(),
};

type Conditional = z.output<z.ZodObject<typeof conditional>>;

export const writeSchemas = {
  PutItem: z.strictObject({ Item: itemField, ...conditional }),
  UpdateItem: z.strictObject({ Key: itemField, UpdateExpression: z.string().optional(), ...conditional }),
  DeleteItem: z.strictObject({ Key: itemField, ...conditional }),
};

export function put(table: Table, input: z.output<typeof writeSchemas.PutItem>): object {
  const check = conditionOf(input);
  checkItem(table, input.Item);
  const before = table.primary.find(input.Item);
  check(before);
  table.write(before, input.Item);
  return answered(input, before);
}

/** Begins an item where there is none. */
export function update(table: Table, input: z.output<typeof writeSchemas.UpdateItem>): object {
  const { Key, UpdateExpression } = input;
  const given = new Placeholders(input);
  const changes =
    UpdateExpression === undefined
      ? []
      : readUpdate(new Expression('UpdateExpression', UpdateExpression, given), namesOf(table.primary.keys));
  const check = conditionOf(input, given);
  checkOnlyKeys(Key, table.primary.keys, table.types);
  const before = table.primary.find(Key);
  check(before);
  const after = updated(before ?? Key, changes);
  checkItem(table, after);
  table.write(before, after);
  return answered(input, before);
}

export function remove(table: Table, input: z.output<typeof writeSchemas.DeleteItem>): object {
  const check = conditionOf(input);
  checkOnlyKeys(input.Key, table.primary.keys, table.types);
  const before = table.primary.find(input.Key);
  check(before);
  table.write(before, undefined);
  return answered(input, before);
}

/** Writes answer nothing, unless they ask for what was there before. */
const answered = ({ ReturnValues }: Conditional, before: Item | undefined): object =>
  ReturnValues === 'ALL_OLD' && before !== undefined ? { Attributes: before } : {};

/** Throws where the item that is there does not meet the condition. Nothing may be given for no expression. */
function conditionOf(
  input: Conditional,
  given = new Placeholders(input),
): (before: Item | undefined) => void {
  const { ConditionExpression: text, ReturnValuesOnConditionCheckFailure: returning } = input;
  const condition =
    text === undefined ? undefined : readCondition(new Expression('ConditionExpression', text, given));
  given.checkAllUsed();
  return (before) => {
    if (condition === undefined || holds(condition, before ?? {})) return;
    throw conditionFailed(returning === 'ALL_OLD' && before !== undefined ? { Item: before } : {});
  };
}

const largestBytes = 400 * 1024;

/** Throws for an item that lacks keys, has an index's key of another type, or is too large. */
function checkItem(table: Table, after: Item): void {
  checkHasKeys(after, table.primary.keys, table.types);
  for (const name of table.types.keys()) {
    const value = attributeOf(after, name);
    if (value !== undefined) checkKey(name, value, table.types);
  }
  if (sizeOf(after) > largestBytes) throw invalid('Item size has exceeded the maximum allowed size');
}

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
