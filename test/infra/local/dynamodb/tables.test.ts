import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { startDynamoDb } from '../../../../infra/local/store/dynamodb.ts';
import { createStoreClient } from '../../../../shared/adapters/dynamodb/client.ts';
import { tableDefinition } from '../../../../shared/adapters/dynamodb/table.ts';
import { clockOf } from '../../../builders/clock.ts';
import { anEngine, outcomeOf, TableName } from './engine.ts';

const notFound = (name: string) =>
  `ResourceNotFoundException: Requested resource not found: Table: ${name} not found`;

test('a table is described as it was created', async () => {
  const client = await anEngine();
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const [index] = tableDefinition.GlobalSecondaryIndexes;
  expect(Table).toEqual({
    TableName,
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    AttributeDefinitions: tableDefinition.AttributeDefinitions,
    KeySchema: tableDefinition.KeySchema,
    GlobalSecondaryIndexes: [{ ...index, IndexStatus: 'ACTIVE' }],
  });
});

test('a table that is there is not created once more', async () => {
  const client = await anEngine();
  const create = client.send(new CreateTableCommand({ TableName, ...tableDefinition }));
  expect(await outcomeOf(create)).toBe(`ResourceInUseException: Table already exists: ${TableName}`);
});

test('a new table may take its time: it is there, and not to be used', async () => {
  let now = 0;
  const engine = await startDynamoDb({ clock: clockOf(() => now), createTableMilliseconds: 50 });
  onTestFinished(() => engine.close());
  const client = createStoreClient({ endpoint: engine.endpoint });
  onTestFinished(() => client.destroy());
  const status = async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    return Table?.TableStatus;
  };
  await client.send(new CreateTableCommand({ TableName, ...tableDefinition }));
  now += 49;
  expect(await status()).toBe('CREATING');
  expect(await outcomeOf(client.send(new ScanCommand({ TableName })))).toBe(notFound(TableName));
  now += 1;
  expect(await status()).toBe('ACTIVE');
  expect(await outcomeOf(client.send(new ScanCommand({ TableName })))).toBe('done');
});

test('all tables are listed', async () => {
  const client = await anEngine();
  await client.send(new CreateTableCommand({ TableName: 'another', ...tableDefinition }));
  expect((await client.send(new ListTablesCommand())).TableNames).toEqual(['another', TableName]);
});

test('a table that is deleted is gone, with its items', async () => {
  const client = await anEngine();
  await client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'm' }, sk: { S: 'due' } } }));
  await client.send(new DeleteTableCommand({ TableName }));
  expect(await outcomeOf(client.send(new ScanCommand({ TableName })))).toBe(notFound(TableName));
  expect(await outcomeOf(client.send(new DescribeTableCommand({ TableName })))).toBe(notFound(TableName));
  await client.send(new CreateTableCommand({ TableName, ...tableDefinition }));
  expect((await client.send(new ScanCommand({ TableName }))).Items).toEqual([]);
});

const local = {
  IndexName: 'local',
  KeySchema: tableDefinition.KeySchema,
  Projection: { ProjectionType: 'ALL' },
} as const;

test.each<[string, Partial<CreateTableCommandInput>, string]>([
  ['whose name is short', { TableName: 'x' }, 'TableName must be at least 3 characters long'],
  ['whose name has other signs', { TableName: 'a/b/c' }, 'TableName must satisfy the pattern'],
  ['with reserved capacity', { BillingMode: 'PROVISIONED' }, 'BillingMode'],
  ['with local indexes', { LocalSecondaryIndexes: [local] }, 'the field LocalSecondaryIndexes'],
  [
    'with keys only in an index',
    { GlobalSecondaryIndexes: [{ ...local, Projection: { ProjectionType: 'KEYS_ONLY' } }] },
    'ProjectionType',
  ],
  [
    'whose partition is no first key',
    { KeySchema: tableDefinition.KeySchema.toReversed() },
    'a KeySchema is one HASH key, and one RANGE key after it or none',
  ],
  [
    'with a key that is not defined',
    { AttributeDefinitions: tableDefinition.AttributeDefinitions.slice(1) },
    'The AttributeDefinitions must be those of the keys',
  ],
  [
    'with a definition of what is no key',
    {
      AttributeDefinitions: [
        ...tableDefinition.AttributeDefinitions,
        { AttributeName: 'x', AttributeType: 'S' },
      ],
    },
    'The AttributeDefinitions must be those of the keys',
  ],
])('no table is created %s', async (_, changed, why) => {
  const client = await anEngine();
  const outcome = await outcomeOf(
    client.send(new CreateTableCommand({ TableName: 'other', ...tableDefinition, ...changed })),
  );
  expect(outcome).toMatch(/^ValidationException: /);
  expect(outcome).toContain(why);
});
