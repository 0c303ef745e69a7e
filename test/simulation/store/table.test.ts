import {
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { TableCommand } from '../../../shared/adapters/dynamodb/table-client.ts';
import { clockOf } from '../../builders/clock.ts';
import { aLook, anEntry, machine, openStore, start } from './open-store.ts';
import { createSimulatedTable, type SimulatedTable } from './table.ts';

const TableName = 'phaseout';
const Key = { pk: { S: 'machine#uid-1' }, sk: { S: 'due' } };

function refusalOf(run: (table: SimulatedTable) => void): { error: string; defects: readonly string[] } {
  const table = createSimulatedTable();
  try {
    run(table);
    return { error: 'none', defects: table.defects() };
  } catch (error) {
    return { error: String(error), defects: table.defects() };
  }
}

const unknownConditions: [expression: string, named: string][] = [
  ['NOT attribute_exists(pk)', 'the expression "NOT attribute_exists(pk)" at "NOT"'],
  ['expires IN (:x)', 'the expression "expires IN (:x)" at "IN"'],
  ['size(pk) > :x', 'the expression "size(pk) > :x" at "("'],
  ['expires <> :x', 'the expression "expires <> :x" at "<>"'],
  ['expires = :x expires', 'the expression "expires = :x expires" at "expires"'],
  ['expires =', 'the expression "expires =" at its end'],
  ['machine.uid = :x', 'the expression "machine.uid = :x"'],
];
const unknownUpdates: [expression: string, named: string][] = [
  ['SET expires = expires + :x', 'the expression "SET expires = expires + :x" at "+"'],
  ['DELETE tags :x', 'the expression "DELETE tags :x" at "DELETE"'],
];

const values = (expression: string) =>
  expression.includes(':x') ? { ExpressionAttributeValues: { ':x': { N: '1' } } } : {};

describe('what it has not learnt it names, and remembers', () => {
  test.each(unknownConditions)('the condition %s', (ConditionExpression, named) => {
    const input = { TableName, Key, ConditionExpression, ...values(ConditionExpression) };
    const error = `Unknown: The simulated table does not know ${named}.`;
    expect(refusalOf((table) => table.answer(new DeleteItemCommand(input)))).toEqual({
      error,
      defects: [error],
    });
  });

  test.each(unknownUpdates)('the update %s', (UpdateExpression, named) => {
    const input = { TableName, Key, UpdateExpression, ...values(UpdateExpression) };
    const error = `Unknown: The simulated table does not know ${named}.`;
    expect(refusalOf((table) => table.answer(new UpdateItemCommand(input)))).toEqual({
      error,
      defects: [error],
    });
  });

  test('a field of a command', () => {
    const command = new DeleteItemCommand({ TableName, Key, ReturnConsumedCapacity: 'TOTAL' });
    const error =
      'Unknown: The simulated table does not know the field ReturnConsumedCapacity of DeleteItem.';
    expect(refusalOf((table) => table.answer(command))).toEqual({ error, defects: [error] });
  });

  test('a value of a field of a command', () => {
    const command = new PutItemCommand({ TableName, Item: Key, ReturnValues: 'ALL_NEW' });
    const error =
      'Unknown: The simulated table does not know the value of the field ReturnValues of PutItem.';
    expect(refusalOf((table) => table.answer(command))).toEqual({ error, defects: [error] });
  });

  test.each<[string, TransactWriteItem]>([
    ['a Delete in a transaction', { Delete: { TableName, Key } }],
    ['a nothing in a transaction', {}],
    [
      'the field ConditionExpression of a Put in a transaction',
      { Put: { TableName, Item: Key, ConditionExpression: 'attribute_not_exists(pk)' } },
    ],
  ])('%s', (named, write) => {
    const command = new TransactWriteItemsCommand({ TransactItems: [write] });
    const error = `Unknown: The simulated table does not know ${named}.`;
    expect(refusalOf((table) => table.answer(command))).toEqual({ error, defects: [error] });
  });

  test('sets of numbers and lists', () => {
    const command = new PutItemCommand({ TableName, Item: { ...Key, tags: { NS: ['1'] } } });
    const error = 'Unknown: The simulated table does not know attributes of the type NS.';
    expect(refusalOf((table) => table.answer(command))).toEqual({ error, defects: [error] });
  });
});

test('a mistake that is forgiven as an outage is remembered all the same', async () => {
  const { table, store, inTime } = openStore([]);
  await inTime(() => store.schedule(aLook({ at: Number.NaN })));
  expect(store.isAvailable()).toBe(false);
  expect(table.defects()).toEqual([
    'ValidationException: The parameter cannot be converted to a numeric value: NaN',
  ]);
});

test('a condition that fails is no mistake', async () => {
  const { table, dynamo } = openStore([]);
  await dynamo.appendHistory(machine, [anEntry()]);
  await dynamo.appendHistory(machine, [anEntry({ message: 'again' })]);
  expect(await dynamo.history('uid-1')).toEqual([anEntry()]);
  expect(table.defects()).toEqual([]);
});

test('it is found by whoever would create it, and needs nothing more', async () => {
  const { table, dynamo, labels } = openStore([]);
  expect(await dynamo.ensureTable()).toBe('found');
  expect(labels).toEqual(['store DescribeTable', 'store DescribeTimeToLive']);
  expect(table.defects()).toEqual([]);
});

test('a table of another name is not there', async () => {
  const { table } = openStore([]);
  const clock = clockOf(() => start);
  const store = createDynamoStore({
    client: {
      config: { region: async () => '', credentials: async () => '' },
      send: async (command: TableCommand) => table.answer(command),
    },
    table: 'another',
    clock,
  });
  await expect(store.history('uid-1')).rejects.toThrow('DynamoDB table another: it is not there, or not yet');
  expect(table.defects()).toEqual([
    'ResourceNotFoundException: Requested resource not found: Table: another not found',
  ]);
});

test('a page begins after the last one even if what that ended with is gone', () => {
  const table = createSimulatedTable();
  for (const sk of ['pod#1', 'pod#3']) {
    table.answer(new PutItemCommand({ TableName, Item: { ...Key, sk: { S: sk } } }));
  }
  const { Items } = table.answer(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': Key.pk },
      ExclusiveStartKey: { ...Key, sk: { S: 'pod#2' } },
    }),
  );
  expect(Items).toEqual([{ ...Key, sk: { S: 'pod#3' } }]);
});

test('an index is never asked for a consistent answer', () => {
  const command = new QueryCommand({
    TableName,
    IndexName: 'due',
    ConsistentRead: true,
    KeyConditionExpression: 'dueShard = :shard',
    ExpressionAttributeValues: { ':shard': { S: 'due#1' } },
  });
  expect(refusalOf((table) => table.answer(command)).error).toBe(
    'ValidationException: Consistent reads are not supported on global secondary indexes',
  );
});
