import { once } from 'node:events';
import { connect } from 'node:net';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { startDynamoDb } from '../../../../infra/local/store/dynamodb.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const table = new CreateTableCommand({
  TableName: 'machines',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
});

function aClient(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  closing.push(() => client.destroy());
  return client;
}

test('a table takes items as soon as it is made, without a wait', async () => {
  const dynamo = await startDynamoDb();
  closing.push(() => dynamo.close());
  expect(dynamo.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

  const client = aClient(dynamo.endpoint);
  await client.send(table);
  await client.send(new PutItemCommand({ TableName: 'machines', Item: { pk: { S: 'm-1' } } }));
  const { Item } = await client.send(
    new GetItemCommand({ TableName: 'machines', Key: { pk: { S: 'm-1' } } }),
  );
  expect(Item).toEqual({ pk: { S: 'm-1' } });
});

test('two of them share nothing', async () => {
  const [one, other] = [await startDynamoDb(), await startDynamoDb()];
  closing.push(
    () => one.close(),
    () => other.close(),
  );
  await aClient(one.endpoint).send(table);
  expect((await aClient(other.endpoint).send(new ListTablesCommand())).TableNames).toEqual([]);
});

test('closing does not wait for clients, and forgets everything', async () => {
  const first = await startDynamoDb();
  await aClient(first.endpoint).send(table);
  await first.close();

  const second = await startDynamoDb();
  closing.push(() => second.close());
  const { TableNames } = await aClient(second.endpoint).send(new ListTablesCommand());
  expect(TableNames).toEqual([]);
});

// An error of it has no handler: it would end the process, and this test.
test('closing interrupts no request that is under way', async () => {
  const dynamo = await startDynamoDb();
  const client = aClient(dynamo.endpoint);
  await client.send(table);
  const put = (pk: string) =>
    client.send(new UpdateItemCommand({ TableName: 'machines', Key: { pk: { S: pk } } }));
  const first = put('m-0');
  const all = [first, ...Array.from({ length: 40 }, (_, index) => put(`m-${index + 1}`))];
  await first;
  await dynamo.close();
  const ended = await Promise.allSettled(all);
  expect(ended[0]?.status).toBe('fulfilled');
});

test.each([false, true])(
  'a request that breaks off halfway harms nobody (by closing: %s)',
  async (isClosing) => {
    const dynamo = await startDynamoDb();
    const socket = connect(Number(new URL(dynamo.endpoint).port), '127.0.0.1');
    socket.on('error', () => undefined);
    // Who is told to go on with the body knows that the rest has been taken in.
    socket.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n');
    await once(socket, 'data');
    const closed = once(socket, 'close');
    if (!isClosing) socket.destroy();
    await dynamo.close();
    await expect(closed).resolves.toBeDefined();
  },
);
