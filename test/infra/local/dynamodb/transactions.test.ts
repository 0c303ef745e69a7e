import { GetItemCommand, type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { anEngine, itemsOf, outcomeOf, TableName } from './engine.ts';

const keyOf = (place: string): Item => ({ pk: { S: place }, sk: { S: 'machine#1' } });
const putOf = (place: string, more: Item = {}): TransactWriteItem => ({
  Put: { TableName, Item: { ...keyOf(place), ...more } },
});

test('what is put together is there, in the place of what was', async () => {
  const client = await anEngine();
  await client.send(new TransactWriteItemsCommand({ TransactItems: [putOf('a', { n: { N: '1' } })] }));
  await client.send(
    new TransactWriteItemsCommand({ TransactItems: [putOf('a', { n: { N: '2' } }), putOf('b')] }),
  );
  expect(await itemsOf(client)).toHaveLength(2);
  const { Item } = await client.send(new GetItemCommand({ TableName, Key: keyOf('a') }));
  expect(Item).toEqual({ ...keyOf('a'), n: { N: '2' } });
});

const many = (count: number) => Array.from({ length: count }, (_, number) => putOf(`${number}`));

test('a hundred are', async () => {
  const client = await anEngine();
  await client.send(new TransactWriteItemsCommand({ TransactItems: many(100) }));
  expect(await itemsOf(client)).toHaveLength(100);
});

test.each<[string, TransactWriteItem[], string]>([
  ['one more than a hundred', many(101), 'less than or equal to 100'],
  ['none', [], 'TransactItems'],
  ['one item twice', [putOf('a'), putOf('a')], 'cannot include multiple operations on one item'],
  [
    'one without its key',
    [putOf('a'), { Put: { TableName, Item: { pk: { S: 'b' } } } }],
    'Missing the key sk',
  ],
  [
    'a condition',
    [{ Put: { TableName, Item: keyOf('a'), ConditionExpression: 'attribute_not_exists(pk)' } }],
    'does not support the field ConditionExpression of TransactItems.0.Put',
  ],
  ['a removal', [putOf('a'), { Delete: { TableName, Key: keyOf('b') } }], 'TransactItems.1.Put: '],
])('refused, and nothing of it is written: %s', async (_what, TransactItems, why) => {
  const client = await anEngine();
  const outcome = await outcomeOf(client.send(new TransactWriteItemsCommand({ TransactItems })));
  expect(outcome).toMatch(/^ValidationException: /);
  expect(outcome).toContain(why);
  expect(await itemsOf(client)).toEqual([]);
});

test('a table that is not there is named', async () => {
  const client = await anEngine();
  const TransactItems = [putOf('a'), { Put: { TableName: 'another', Item: keyOf('b') } }];
  expect(await outcomeOf(client.send(new TransactWriteItemsCommand({ TransactItems })))).toContain(
    'ResourceNotFoundException',
  );
  expect(await itemsOf(client)).toEqual([]);
});
