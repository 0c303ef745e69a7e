import { DeleteItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { anEngine, outcomeOf, TableName } from './engine.ts';

const pk = { S: 'machine#1' };
const aPod = (name: string, rest: Item = {}): Item => ({ pk, sk: { S: `pod#${name}` }, ...rest });
const aDue = (machine: string, at: string): Item => ({
  pk: { S: machine },
  sk: { S: 'due' },
  dueShard: { S: 'due#1' },
  dueAt: { N: at },
});

async function engineWith(...items: Item[]) {
  const client = await anEngine();
  for (const each of items) await client.send(new PutItemCommand({ TableName, Item: each }));
  return client;
}

type Query = Partial<QueryCommand['input']>;

/** The sort keys of all pages, page by page. */
async function pages(client: Awaited<ReturnType<typeof anEngine>>, query: Query): Promise<string[][]> {
  const found: string[][] = [];
  let start: Item | undefined;
  do {
    const input = { TableName, ...query, ...(start && { ExclusiveStartKey: start }) };
    const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(input));
    found.push(Items.map(({ pk: machine, sk }) => (sk?.S === 'due' ? machine?.S : sk?.S) ?? ''));
    start = LastEvaluatedKey;
  } while (start !== undefined);
  return found;
}

const ofPods = (condition: string, values: Item = {}): Query => ({
  KeyConditionExpression: `pk = :pk${condition}`,
  ExpressionAttributeValues: { ':pk': pk, ...values },
});
const x = { ':x': { S: 'pod#2' } };

test.each<[string, Item, string[]]>([
  ['', {}, ['pod#1', 'pod#10', 'pod#2', 'pod#é', 'pod#\uffee', 'pod#🚰']],
  [' AND begins_with(sk, :x)', { ':x': { S: 'pod#1' } }, ['pod#1', 'pod#10']],
  [' AND sk = :x', x, ['pod#2']],
  [' AND sk < :x', x, ['pod#1', 'pod#10']],
  [' AND sk <= :x', x, ['pod#1', 'pod#10', 'pod#2']],
  [' AND sk > :x', x, ['pod#é', 'pod#\uffee', 'pod#🚰']],
  [' AND sk >= :x', x, ['pod#2', 'pod#é', 'pod#\uffee', 'pod#🚰']],
  [' AND sk BETWEEN :x AND :y', { ':x': { S: 'pod#10' }, ':y': { S: 'pod#2' } }, ['pod#10', 'pod#2']],
  [' AND sk = :x', { ':x': { S: 'pod#3' } }, []],
])(
  'a partition is in the order of the bytes of its keys: pk = :pk%s',
  async (condition, values, expected) => {
    const names = ['🚰', 'é', '10', '\uffee', '2', '1'];
    const client = await engineWith(...names.map((name) => aPod(name)), {
      pk: { S: 'machine#2' },
      sk: x[':x'],
    });
    expect(await pages(client, ofPods(condition, values))).toEqual([expected]);
  },
);

const dueBetween = (from: string, to: string, rest: Query = {}): Query => ({
  IndexName: 'due',
  KeyConditionExpression: 'dueShard = :shard AND dueAt BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':shard': { S: 'due#1' }, ':from': { N: from }, ':to': { N: to } },
  ...rest,
});
const looks = [aDue('d', '100'), aDue('a', '9'), aDue('c', '-1.5'), aDue('b', '9')];

test('an index is in the order of its numbers, and holds only what has its keys', async () => {
  const client = await engineWith(...looks, aPod('1', { dueAt: { N: '5' } }));
  expect(await pages(client, dueBetween('-2', '99'))).toEqual([['c', 'a', 'b']]);
});

test.each([
  ['a page that is full may be followed by nothing', 4, [['c', 'a', 'b', 'd'], []]],
  ['pages go on within one time', 2, [['c', 'a'], ['b', 'd'], []]],
  ['a page that is not full is the last', 3, [['c', 'a', 'b'], ['d']]],
])('%s', async (_, Limit, expected) => {
  expect(await pages(await engineWith(...looks), dueBetween('-2', '100', { Limit }))).toEqual(expected);
});

test('a page goes on after an item that has gone meanwhile', async () => {
  const client = await engineWith(aPod('1'), aPod('2'), aPod('3'));
  await client.send(new DeleteItemCommand({ TableName, Key: aPod('2') }));
  expect(await pages(client, { ...ofPods(''), ExclusiveStartKey: aPod('2') })).toEqual([['pod#3']]);
});

test('a page ends after a megabyte', async () => {
  const names = ['1', '2', '3', '4', '5'];
  const client = await engineWith(...names.map((name) => aPod(name, { text: { S: 'x'.repeat(300_000) } })));
  expect(await pages(client, ofPods(''))).toEqual([['pod#1', 'pod#2', 'pod#3', 'pod#4'], ['pod#5']]);
});

test('an index follows what is changed, deleted and no longer of it', async () => {
  const client = await engineWith(...looks);
  await client.send(new PutItemCommand({ TableName, Item: aDue('a', '50') }));
  await client.send(new DeleteItemCommand({ TableName, Key: { pk: { S: 'b' }, sk: { S: 'due' } } }));
  await client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'c' }, sk: { S: 'due' } } }));
  expect(await pages(client, dueBetween('-2', '100'))).toEqual([['a', 'd']]);
});

const notSupported = 'Query key condition not supported';

test.each<[string, Query, string]>([
  ['without a partition', { ...ofPods('', x), KeyConditionExpression: 'sk = :x OR pk = :pk' }, notSupported],
  ['of a part of a partition', { ...ofPods(''), KeyConditionExpression: 'pk >= :pk' }, notSupported],
  ['of an attribute that is no key', ofPods(' AND expires = :x', x), notSupported],
  ['of two stretches', ofPods(' AND sk > :x AND sk < :x', x), notSupported],
  ['with a key of another type', ofPods(' AND sk = :x', { ':x': { N: '1' } }), 'Type mismatch for key sk'],
  ['of a missing index', { ...dueBetween('1', '2'), IndexName: 'x' }, 'not have the specified index: x'],
  ['from an end before its start', dueBetween('2', '1'), 'The BETWEEN operator requires upper bound'],
  ['of an index, consistently', dueBetween('1', '2', { ConsistentRead: true }), 'Consistent reads are not'],
  ['of no items', { ...ofPods(''), Limit: 0 }, 'Limit'],
  ['from half a key', { ...ofPods(''), ExclusiveStartKey: { pk } }, 'The provided starting key is invalid'],
  ['with a filter', { ...ofPods(''), FilterExpression: 'sk = :pk' }, 'the field FilterExpression'],
  ['backwards', { ...ofPods(''), ScanIndexForward: false }, 'the field ScanIndexForward'],
])('no query is answered %s', async (_, query, why) => {
  const client = await engineWith(aPod('1'));
  const outcome = await outcomeOf(client.send(new QueryCommand({ TableName, ...query })));
  expect(outcome).toMatch(/^ValidationException: /);
  expect(outcome).toContain(why);
});
