import type * as z from 'zod';
import { definitionSchema } from './definition.ts';
import { parsed } from './parsed.ts';
import { get, query, readSchemas, scan } from './reads.ts';
import { unknownOperation } from './refusal.ts';
import { type Table, type Tables, tableSchemas } from './tables.ts';
import { put, remove, transact, transactionSchema, update, writeSchemas } from './writes.ts';

type Operation = (tables: Tables, sent: unknown) => object;

const about =
  <S extends z.ZodType>(schema: S, run: (tables: Tables, input: z.output<S>) => object): Operation =>
  (tables, sent) =>
    run(tables, parsed(schema, sent));

/** On a table that is there and active. */
const within = <S extends z.ZodType<{ TableName: string }>>(
  schema: S,
  run: (table: Table, input: z.output<S>) => object,
): Operation => about(schema, (tables, input) => run(tables.active(input.TableName), input));

const operations: ReadonlyMap<string, Operation> = new Map([
  ['CreateTable', about(definitionSchema, (tables, input) => tables.create(input))],
  ['DescribeTable', about(tableSchemas.DescribeTable, (tables, input) => tables.describe(input))],
  ['DeleteTable', about(tableSchemas.DeleteTable, (tables, input) => tables.delete(input))],
  ['ListTables', about(tableSchemas.ListTables, (tables) => tables.list())],
  [
    'DescribeTimeToLive',
    about(tableSchemas.DescribeTimeToLive, (tables, input) => tables.describeTimeToLive(input)),
  ],
  [
    'UpdateTimeToLive',
    about(tableSchemas.UpdateTimeToLive, (tables, input) => tables.updateTimeToLive(input)),
  ],
  ['PutItem', within(writeSchemas.PutItem, put)],
  ['UpdateItem', within(writeSchemas.UpdateItem, update)],
  ['DeleteItem', within(writeSchemas.DeleteItem, remove)],
  ['TransactWriteItems', about(transactionSchema, transact)],
  ['GetItem', within(readSchemas.GetItem, get)],
  ['Query', within(readSchemas.Query, query)],
  ['Scan', within(readSchemas.Scan, scan)],
]);

/** What DynamoDB answers to a command of that name. Throws a Refusal where it answers an error. */
export function answer(tables: Tables, name: string, sent: unknown): object {
  const operation = operations.get(name);
  if (operation !== undefined) return operation(tables, sent);
  throw unknownOperation(`The embedded DynamoDB does not support the operation ${name}`);
}
