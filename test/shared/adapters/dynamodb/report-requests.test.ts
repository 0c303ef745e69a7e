import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { reportRequests, type StoreReport } from '../../../../shared/adapters/dynamodb/client.ts';
import { clockOf } from '../../../builders/clock.ts';

/** A client whose every call takes 30 ms and fails with this; what it reports. */
function failing(error: Error): { client: DynamoDBClient; reports: StoreReport[] } {
  const time = { now: 0 };
  const handle = (): never => {
    time.now += 30;
    throw error;
  };
  const client = new DynamoDBClient({
    region: 'eu-1',
    endpoint: 'http://127.0.0.1:9',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
    requestHandler: { handle },
  });
  const reports: StoreReport[] = [];
  reportRequests(
    client,
    clockOf(() => time.now),
    (report) => reports.push(report),
  );
  return { client, reports };
}

const Key = { pk: { S: 'a' }, sk: { S: 'b' } };

test('a call that failed is reported with its name, its time and why, and fails all the same', async () => {
  const refused = new Error('connect ECONNREFUSED');
  const { client, reports } = failing(refused);
  await expect(client.send(new QueryCommand({ TableName: 't' }))).rejects.toBe(refused);
  expect(reports).toEqual([{ operation: 'Query', outcome: 'failed', milliseconds: 30, failure: 'Error' }]);
});

test('a condition that does not hold is an answer', async () => {
  const { client, reports } = failing(new ConditionalCheckFailedException({ message: 'no', $metadata: {} }));
  await expect(client.send(new DeleteItemCommand({ TableName: 't', Key }))).rejects.toThrow('no');
  expect(reports).toEqual([{ operation: 'DeleteItem', outcome: 'condition-failed', milliseconds: 30 }]);
});

test('so is a transaction that another has got ahead of', async () => {
  const { client, reports } = failing(new TransactionCanceledException({ message: 'no', $metadata: {} }));
  const put = new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName: 't', Item: Key } }] });
  await expect(client.send(put)).rejects.toThrow('no');
  expect(reports).toEqual([
    { operation: 'TransactWriteItems', outcome: 'condition-failed', milliseconds: 30 },
  ]);
});
