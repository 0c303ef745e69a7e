import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { createStoreClient } from '../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore, type DynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { Clock } from '../../../shared/clock.ts';
import { createMemoryStore } from '../../../shared/store/memory.ts';
import type { Store } from '../../../shared/store/port.ts';
import { startDynamoDb } from '../../../infra/local/dynamodb.ts';

export interface OpenStore {
  store: Store;
  /** Another instance's store, on the same data. */
  another(): Store;
  close(): Promise<void>;
}

export interface Engine {
  name: string;
  open(clock: Clock): Promise<OpenStore>;
}

/** Every store there is; a DynamoDB that runs elsewhere is named by PHASEOUT_TEST_DYNAMODB_ENDPOINT. */
export function engines(endpoint = process.env['PHASEOUT_TEST_DYNAMODB_ENDPOINT']): Engine[] {
  const always: Engine[] = [
    { name: 'memory', open: openMemory },
    { name: 'embedded DynamoDB', open: openEmbedded },
  ];
  if (endpoint === undefined) return always;
  return [...always, { name: `DynamoDB at ${endpoint}`, open: (clock) => openAt(endpoint, clock) }];
}

async function openMemory(clock: Clock): Promise<OpenStore> {
  const store = createMemoryStore(clock);
  return { store, another: () => store, close: async () => {} };
}

async function openEmbedded(clock: Clock): Promise<OpenStore> {
  const engine = await startDynamoDb();
  const opened = await openAt(engine.endpoint, clock);
  return { ...opened, close: () => opened.close().then(() => engine.close()) };
}

async function openAt(endpoint: string, clock: Clock): Promise<OpenStore> {
  const client = createStoreClient({ endpoint });
  const table = `phaseout-test-${randomUUID()}`;
  const another = (): DynamoStore => createDynamoStore({ client, table, clock, timeoutMilliseconds: 10_000 });
  const close = async (): Promise<void> => {
    await client.send(new DeleteTableCommand({ TableName: table }));
    client.destroy();
  };
  const store = another();
  await store.ensureTable();
  return { store, another, close };
}
