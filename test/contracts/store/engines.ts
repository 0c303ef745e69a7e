import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { directClient } from '../../../infra/local/store/direct-client.ts';
import { startDynamoDb } from '../../../infra/local/store/dynamodb.ts';
import { createStoreClient } from '../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore, type DynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { Store } from '../../../shared/store/port.ts';
import { type Clock, systemClock } from '../../../shared/time/clock.ts';
import { actionOf, allowedBy, permissionsOf } from '../../infra/aws/policy.ts';
import { createSimulatedStoreClient } from '../../simulation/store/client.ts';
import { createSimulatedTable } from '../../simulation/store/table.ts';

export interface OpenStore {
  store: DynamoStore;
  /** Another instance's store, on the same data. */
  another(): Store;
  /** What of DynamoDB was used so far, as permissions of IAM; nothing of the table's set-up. */
  needed: ReadonlySet<string>;
  close(): Promise<void>;
}

export interface Engine {
  name: string;
  /** What it may use of AWS. */
  permissions: string[];
  open(clock: Clock): Promise<OpenStore>;
}

/** Every DynamoDB there is; a DynamoDB that runs elsewhere is named by PHASEOUT_TEST_DYNAMODB_ENDPOINT. */
export function engines(endpoint = process.env['PHASEOUT_TEST_DYNAMODB_ENDPOINT']): Engine[] {
  const permissions = allowedBy('functions-policy.json');
  const always: Engine[] = [
    { name: 'embedded DynamoDB', permissions, open: (clock) => openEmbedded(clock, systemClock) },
    {
      name: 'embedded DynamoDB that drops what has expired',
      permissions,
      open: (clock) => openEmbedded(clock, clock),
    },
    { name: 'embedded DynamoDB, without HTTP', permissions: [], open: openWithoutHttp },
    { name: 'simulated DynamoDB', permissions, open: (clock) => openSimulated(clock, Infinity) },
    {
      name: 'simulated DynamoDB, three items at a time',
      permissions,
      open: (clock) => openSimulated(clock, 3),
    },
  ];
  if (endpoint === undefined) return always;
  const open = (clock: Clock): Promise<OpenStore> => openAt(endpoint, clock);
  return [...always, { name: `DynamoDB at ${endpoint}`, permissions, open }];
}

async function openSimulated(clock: Clock, page: number): Promise<OpenStore> {
  const table = createSimulatedTable();
  const needed = new Set<string>();
  const client = createSimulatedStoreClient(table, {
    clock,
    step: () => Promise.resolve(),
    faults({ name, isIndexQuery }) {
      needed.add(`${actionOf(name)} arn:aws:dynamodb:*:*:table/phaseout${isIndexQuery ? '/index/due' : ''}`);
      return { page };
    },
  });
  const another = (): DynamoStore => createDynamoStore({ client, table: 'phaseout', clock });
  const close = async (): Promise<void> => expect(table.defects()).toEqual([]);
  return { store: another(), another, needed, close };
}

/** By the real clock nothing has expired yet of what the tests write. */
async function openEmbedded(clock: Clock, expiry: Clock): Promise<OpenStore> {
  const engine = await startDynamoDb({ clock: expiry });
  const opened = await openAt(engine.endpoint, clock);
  return { ...opened, close: () => opened.close().then(() => engine.close()) };
}

/** In the process of its user, where nothing of AWS is asked. */
async function openWithoutHttp(clock: Clock): Promise<OpenStore> {
  const engine = await startDynamoDb({ clock: systemClock });
  const client = directClient(engine.tables);
  const options = { table: 'phaseout', clock };
  await createDynamoStore({ ...options, client }).ensureTable();
  const another = (): DynamoStore => createDynamoStore({ ...options, client });
  return { store: another(), another, needed: new Set(), close: () => engine.close() };
}

async function openAt(endpoint: string, clock: Clock): Promise<OpenStore> {
  const [setUp, client] = [createStoreClient({ endpoint }), createStoreClient({ endpoint })];
  const table = `phaseout-test-${randomUUID()}`;
  const options = { table, clock, timeoutMilliseconds: 10_000 };
  await createDynamoStore({ ...options, client: setUp }).ensureTable();
  const needed = permissionsOf(client);
  const another = (): DynamoStore => createDynamoStore({ ...options, client });
  const close = async (): Promise<void> => {
    await setUp.send(new DeleteTableCommand({ TableName: table }));
    setUp.destroy();
    client.destroy();
  };
  return { store: another(), another, needed, close };
}
