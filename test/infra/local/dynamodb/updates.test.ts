import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { anEngine, itemsOf, outcomeOf, TableName } from './engine.ts';

const Key = { pk: { S: 'machine#1' }, sk: { S: 'pod#1' } };

/** What an update makes of an item with these attributes; `:n` is 5. Undefined: there is no item. */
async function updated(UpdateExpression: string, before?: Item) {
  const client = await anEngine();
  if (before !== undefined) await client.send(new PutItemCommand({ TableName, Item: { ...Key, ...before } }));
  const values = UpdateExpression.includes(':n') ? { ExpressionAttributeValues: { ':n': { N: '5' } } } : {};
  const command = new UpdateItemCommand({ TableName, Key, UpdateExpression, ...values });
  const outcome = await outcomeOf(client.send(command));
  const [{ pk: _, sk: __, ...after } = {}] = await itemsOf(client);
  return { outcome, after };
}

const two: Item = { a: { N: '2' }, b: { S: 'text' } };

test.each<[string, Item | undefined, Item]>([
  ['SET a = :n', two, { a: { N: '5' }, b: { S: 'text' } }],
  ['SET a = b, b = a', two, { a: { S: 'text' }, b: { N: '2' } }],
  ['SET a = if_not_exists(a, :n)', two, two],
  ['SET c = if_not_exists(c, :n)', two, { ...two, c: { N: '5' } }],
  ['SET c = if_not_exists(a, :n)', two, { ...two, c: { N: '2' } }],
  ['REMOVE a, c', two, { b: { S: 'text' } }],
  ['ADD a :n', two, { a: { N: '7' }, b: { S: 'text' } }],
  ['ADD c :n', two, { ...two, c: { N: '5' } }],
  ['SET c = :n REMOVE b ADD a :n', two, { a: { N: '7' }, c: { N: '5' } }],
  ['ADD a :n', undefined, { a: { N: '5' } }],
])('%s of %j', async (expression, before, after) => {
  expect(await updated(expression, before)).toEqual({ outcome: 'done', after });
});

test.each([
  ['SET sk = :n', 'Cannot update attribute sk. This attribute is part of the key'],
  ['SET a = :n ADD a :n', 'Two document paths overlap with each other; path: [a]'],
  ['SET a = c', 'The provided expression refers to an attribute that does not exist in the item'],
  ['ADD b :n', 'An operand in the update expression has an incorrect data type'],
  ['SET dueShard = :n', 'Type mismatch for key dueShard expected: S actual: N'],
  ['SET a = a + :n', 'does not understand the expression "SET a = a + :n" at "+"'],
  ['DELETE a :n', 'does not understand the expression "DELETE a :n" at "DELETE"'],
  ['ADD a :n SET b = :n', 'does not understand the expression "ADD a :n SET b = :n" at "SET"'],
  ['SET name = :n', 'Attribute name is a reserved keyword; reserved keyword: name'],
])('refused, and nothing is changed: %s', async (expression, why) => {
  const { outcome, after } = await updated(expression, two);
  expect(outcome).toMatch(/^ValidationException: /);
  expect(outcome).toContain(why);
  expect(after).toEqual(two);
});

test('many at once lose no count', async () => {
  const client = await anEngine();
  const add = new UpdateItemCommand({
    TableName,
    Key,
    UpdateExpression: 'ADD attempts :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  });
  await Promise.all(Array.from({ length: 50 }, () => client.send(add)));
  expect(await itemsOf(client)).toEqual([{ ...Key, attempts: { N: '50' } }]);
});

test.each<[string, Item, string]>([
  ['without a key', { pk: { S: 'm' } }, 'Missing the key sk in the item'],
  [
    'with a key of another type',
    { ...Key, sk: { N: '1' } },
    'Type mismatch for key sk expected: S actual: N',
  ],
  ['with an empty key', { ...Key, sk: { S: '' } }, 'cannot contain an empty string value. Key: sk'],
  ['with a long key', { ...Key, sk: { S: 'x'.repeat(1_025) } }, 'has exceeded the maximum size limit'],
  [
    "with another type in an index's key",
    { ...Key, dueAt: { S: 'soon' } },
    'Type mismatch for key dueAt expected: N actual: S',
  ],
  ['of more than 400 KB', { ...Key, a: { S: 'ü'.repeat(210_000) } }, 'Item size has exceeded the maximum'],
  ['with a number that is none', { ...Key, a: { N: 'NaN' } }, 'cannot be converted to a numeric value: NaN'],
  ['with a number in a map that is none', { ...Key, a: { M: { b: { N: '' } } } }, 'cannot be converted'],
  ['with a type that is not known here', { ...Key, a: { NS: ['1'] } }, 'attributes of the type NS'],
  ['with a set without members', { ...Key, a: { SS: [] } }, 'An string set  may not be empty'],
  ['with a set that has a member twice', { ...Key, a: { SS: ['a', 'a'] } }, 'contains duplicates'],
])('no item is stored %s', async (_, Item, why) => {
  const client = await anEngine();
  const outcome = await outcomeOf(client.send(new PutItemCommand({ TableName, Item })));
  expect(outcome).toMatch(/^ValidationException: /);
  expect(outcome).toContain(why);
  expect(await itemsOf(client)).toEqual([]);
});

test('attributes may have any name, also such as all objects have', async () => {
  const client = await anEngine();
  const Item = { ...Key, constructor: { S: 'c' }, toString: { S: 't' } };
  await client.send(new PutItemCommand({ TableName, Item }));
  const exists = 'attribute_not_exists(hasOwnProperty)';
  await client.send(new PutItemCommand({ TableName, Item, ConditionExpression: exists }));
  expect(await itemsOf(client)).toEqual([Item]);
});

test('a key that is deleted has the keys of the table and nothing else', async () => {
  const client = await anEngine();
  const wrong = new DeleteItemCommand({ TableName, Key: { ...Key, a: { S: 'x' } } });
  expect(await outcomeOf(client.send(wrong))).toBe(
    'ValidationException: The provided key element does not match the schema',
  );
  expect(await outcomeOf(client.send(new DeleteItemCommand({ TableName, Key })))).toBe('done');
});
