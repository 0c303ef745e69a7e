import { BatchGetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { startDynamoDb } from '../../../../infra/local/store/dynamodb.ts';
import { anEngine, itemsOf, outcomeOf, TableName } from './engine.ts';

async function answerTo(request: RequestInit) {
  const engine = await startDynamoDb();
  onTestFinished(() => engine.close());
  const response = await fetch(engine.endpoint, { method: 'POST', ...request });
  const text = await response.text();
  return { status: response.status, answer: text === '' ? '' : JSON.parse(text), headers: response.headers };
}

const list = { 'x-amz-target': 'DynamoDB_20120810.ListTables' };

test('it speaks JSON as DynamoDB does', async () => {
  const { status, answer, headers } = await answerTo({ headers: list, body: '{}' });
  expect({ status, answer }).toEqual({ status: 200, answer: { TableNames: [] } });
  expect(headers.get('content-type')).toBe('application/x-amz-json-1.0');
});

test.each<[string, RequestInit, string]>([
  ['what is not JSON', { headers: list, body: '{' }, 'SerializationException'],
  ['no operation', { body: '{}' }, 'UnknownOperationException'],
  [
    'another version',
    { headers: { 'x-amz-target': 'DynamoDB_20111205.ListTables' } },
    'UnknownOperationException',
  ],
  ['another method', { method: 'PUT', headers: list, body: '{}' }, 'UnknownOperationException'],
  ['a field that is not known', { headers: list, body: '{"Limit":1}' }, 'ValidationException'],
  ['a command that is no object', { headers: list, body: '[]' }, 'ValidationException'],
])('refused: %s', async (_, request, name) => {
  const { status, answer } = await answerTo(request);
  expect(status).toBe(400);
  expect(answer['__type']).toMatch(new RegExp(`#${name}$`));
});

test('no connection is closed for being idle', async () => {
  const { headers } = await answerTo({ headers: list, body: '{}' });
  expect({ connection: headers.get('connection'), limit: headers.get('keep-alive') }).toEqual({
    connection: 'keep-alive',
    limit: null,
  });
});

test('a page in a browser is not let in', async () => {
  const asked = { 'access-control-request-headers': 'x-amz-target', origin: 'http://example.test' };
  const { headers } = await answerTo({ method: 'OPTIONS', headers: asked });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('more than 16 MB are not taken', async () => {
  const { status } = await answerTo({ headers: list, body: ' '.repeat(16 * 1024 * 1024 + 1) });
  expect(status).toBe(413);
});

test('an operation that is not known here is named', async () => {
  const client = await anEngine();
  const Keys = [{ pk: { S: 'm' }, sk: { S: 'due' } }];
  const command = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } });
  expect(await outcomeOf(client.send(command))).toBe(
    'UnknownOperationException: The embedded DynamoDB does not support the operation BatchGetItem',
  );
});

test('a field that is not known here is named, and nothing is done', async () => {
  const client = await anEngine();
  const Item = { pk: { S: 'm' }, sk: { S: 'due' } };
  const command = new PutItemCommand({ TableName, Item, ReturnConsumedCapacity: 'TOTAL' });
  expect(await outcomeOf(client.send(command))).toBe(
    'ValidationException: The embedded DynamoDB does not support the field ReturnConsumedCapacity here',
  );
  expect(await itemsOf(client)).toEqual([]);
});
