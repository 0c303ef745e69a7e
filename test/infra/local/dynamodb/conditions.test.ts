import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { anEngine, outcomeOf, TableName } from './engine.ts';

const Key = { pk: { S: 'machine#1' }, sk: { S: 'due' } };
const failed = 'ConditionalCheckFailedException: The conditional request failed';

/** The outcome of a write with the condition, where the item exists. `:n` is 5, `:s` is "b", `:m` is a map. */
async function tried(ConditionExpression: string, before: Item = { expires: { N: '5' }, kept: { S: 'bc' } }) {
  const client = await anEngine();
  await client.send(new PutItemCommand({ TableName, Item: { ...Key, ...before } }));
  const all: Item = { ':n': { N: '5' }, ':s': { S: 'b' }, ':m': { M: {} } };
  const used = Object.entries(all).filter(([name]) => ConditionExpression.includes(name));
  const values = used.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(used) };
  const names = ConditionExpression.includes('#name')
    ? { ExpressionAttributeNames: { '#name': 'expires' } }
    : {};
  const command = new PutItemCommand({ TableName, Item: Key, ConditionExpression, ...values, ...names });
  return outcomeOf(client.send(command));
}

test.each([
  ['attribute_exists(expires)', 'done'],
  ['attribute_exists(absent)', failed],
  ['attribute_not_exists(absent)', 'done'],
  ['attribute_not_exists(expires)', failed],
  ['expires = :n', 'done'],
  ['expires < :n', failed],
  ['expires <= :n', 'done'],
  ['expires > :n', failed],
  ['expires >= :n', 'done'],
  [':n >= expires', 'done'],
  ['#name = :n', 'done'],
  ['expires BETWEEN :n AND :n', 'done'],
  ['begins_with(kept, :s)', 'done'],
  ['begins_with(expires, :s)', failed],
  // What is missing, or of another type, is neither less nor more.
  ['absent <= :n', failed],
  ['kept >= :n', failed],
  ['expires = :m', failed],
  // AND binds more tightly than OR.
  ['attribute_exists(pk) OR attribute_exists(absent) AND expires < :n', 'done'],
  ['expires < :n AND attribute_exists(absent) OR attribute_exists(absent)', failed],
])('the condition %s: %s', async (condition, expected) => {
  expect(await tried(condition)).toBe(expected);
});

test.each([
  ['an item that is missing has no attributes', 'attribute_not_exists(pk)', 'done'],
  ['so that no comparison is met by it', 'expires <= :n', failed],
])('%s', async (_, ConditionExpression, expected) => {
  const client = await anEngine();
  const values = ConditionExpression.includes(':n')
    ? { ExpressionAttributeValues: { ':n': { N: '5' } } }
    : {};
  const command = new PutItemCommand({ TableName, Item: Key, ConditionExpression, ...values });
  expect(await outcomeOf(client.send(command))).toBe(expected);
});

test.each([
  ['NOT attribute_exists(pk)', 'Attribute name is a reserved keyword; reserved keyword: NOT'],
  ['size(kept) > :n', 'Attribute name is a reserved keyword; reserved keyword: size'],
  ['contains(kept, :s)', 'does not understand the expression "contains(kept, :s)" at "("'],
  ['expires IN (:n)', 'does not understand the expression "expires IN (:n)" at "IN"'],
  ['expires <> :n', 'does not understand the expression "expires <> :n" at "<>"'],
  ['(expires = :n)', 'does not understand the expression "(expires = :n)" at "("'],
  ['expires = :n expires', 'does not understand the expression "expires = :n expires" at "expires"'],
  ['expires = :n and pk = :n', 'does not understand the expression "expires = :n and pk = :n" at "and"'],
  ['expires =', 'does not understand the expression "expires =" at its end'],
  ['machine.uid = :s', 'does not understand ".uid = :s"'],
])('what the adapter does not say is refused, not passed over: %s', async (condition, why) => {
  const outcome = await tried(condition);
  expect(outcome).toMatch(/^ValidationException: Invalid ConditionExpression: /);
  expect(outcome).toContain(why);
});

test.each([
  ['', 'The expression can not be empty;'],
  [`expires = :n${' '.repeat(5_000)}`, 'Expression size has exceeded the maximum allowed size;'],
  ['name = :s', 'Attribute name is a reserved keyword; reserved keyword: name'],
  ['expires BETWEEN :n AND :s', 'The BETWEEN operator requires upper bound to be greater than or equal'],
  [
    'begins_with(kept, :n)',
    'Incorrect operand type for operator or function; operator or function: begins_with',
  ],
])('refused whatever the item is: %s', async (condition, why) => {
  expect(await tried(condition)).toContain(`ValidationException: Invalid ConditionExpression: ${why}`);
});

test('maps are not compared', async () => {
  expect(await tried('machine = :m', { machine: { M: {} } })).toBe(
    'ValidationException: The embedded DynamoDB does not support comparisons of maps',
  );
});

test.each<[string, Partial<PutItemCommand['input']>, string]>([
  ['a value that is not given', { ConditionExpression: 'expires = :n' }, 'attribute value: :n'],
  ['a name that is not given', { ConditionExpression: 'attribute_exists(#n)' }, 'attribute name: #n'],
  [
    'a value that nothing speaks of',
    {
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':n': { N: '1' } },
    },
    'Value provided in ExpressionAttributeValues unused in expressions: keys: {:n}',
  ],
  [
    'a name that nothing speaks of',
    { ConditionExpression: 'attribute_exists(pk)', ExpressionAttributeNames: { '#n': 'x' } },
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}',
  ],
  [
    'no values, though it says that there are',
    { ConditionExpression: 'attribute_exists(pk)', ExpressionAttributeValues: {} },
    'ExpressionAttributeValues must not be empty',
  ],
  [
    'a value for no expression at all',
    { ExpressionAttributeValues: { ':n': { N: '1' } } },
    'ExpressionAttributeValues',
  ],
])('refused: %s', async (_, input, why) => {
  const client = await anEngine();
  const outcome = await outcomeOf(client.send(new PutItemCommand({ TableName, Item: Key, ...input })));
  expect(outcome).toMatch(/^ValidationException: /);
  expect(outcome).toContain(why);
});
