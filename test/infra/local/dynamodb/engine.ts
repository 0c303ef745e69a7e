import {
  CreateTableCommand,
  type DynamoDBClient,
  ScanCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import { type LocalDynamoDbOptions, startDynamoDb } from '../../../../infra/local/store/dynamodb.ts';
import type { Item } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { createStoreClient } from '../../../../shared/adapters/dynamodb/client.ts';
import { tableDefinition, timeToLive } from '../../../../shared/adapters/dynamodb/table.ts';

export const TableName = 'phaseout';

/** A client of an engine that holds the store's table, closed when the test is over. */
export async function anEngine(options: LocalDynamoDbOptions = {}): Promise<DynamoDBClient> {
  const engine = await startDynamoDb(options);
  const client = createStoreClient({ endpoint: engine.endpoint });
  onTestFinished(() => client.destroy());
  onTestFinished(() => engine.close());
  await client.send(new CreateTableCommand({ TableName, ...tableDefinition }));
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: timeToLive }));
  return client;
}

/** All that is in the table, in its order. */
export async function itemsOf(client: DynamoDBClient): Promise<Item[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  return Items;
}

/** How a command ends: with an answer, or with the name of the error and what it says. */
export const outcomeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'done',
    (error: unknown) => String(error),
  );
