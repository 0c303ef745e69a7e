import { createServer } from 'node:http';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { type LocalDynamoDb, startDynamoDb } from '../../../../infra/local/store/dynamodb.ts';
import { createStoreClient } from '../../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore, type DynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import { itemKinds, tableDefinition } from '../../../../shared/adapters/dynamodb/table.ts';
import { forgivingStore } from '../../../../shared/store/best-effort.ts';
import { type Store, StoreUnavailable } from '../../../../shared/store/port.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

const clock = systemClock;
const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace: 'default',
  name: 'worker-1',
  uid: 'uid-1',
};
const now = Date.now();
const entry = { at: now, id: '1', phase: 'drain', what: 'acted', reason: '', message: '', by: 'a' } as const;
const refusal = { cause: 'Throttled', text: 'slow down' } as const;
const eviction = {
  podUid: 'p',
  namespace: 'shop',
  name: 'cart-0',
  at: now,
  outcome: 'refused',
  refusal,
} as const;

type Call<S> = (store: S) => Promise<unknown>;

const calls: Record<string, Call<Store>> = {
  recordEvictions: (store) => store.recordEvictions(machine, [eviction]),
  podRecords: (store) => store.podRecords('uid-1'),
  schedule: (store) => store.schedule({ machine, at: now, failures: 0 }),
  due: (store) => store.due(now, 10),
  unschedule: (store) => store.unschedule('uid-1', { at: now }),
  claim: (store) => store.claim({ machine, by: 'a', at: now, until: now + 1 }),
  release: (store) => store.release({ machine, by: 'a', ours: [] }),
  hear: (store) => store.hear('uid-1', '7'),
  appendHistory: (store) => store.appendHistory(machine, [entry]),
  history: (store) => store.history('uid-1'),
};
const askOnce: Call<Store> = (store) => store.podRecords('uid-1');
const ensureTable: Call<DynamoStore> = (store) => store.ensureTable();

/** The keys of the items of this file, by the names that the document has for their parts. */
const filledIn = (keys: string): string =>
  keys
    .replace('<pod uid>', 'p')
    .replace('<id>', '1')
    .replace('<uid>', 'uid-1')
    .replace('pod#<namespace>/<name>', 'pod#shop/cart-0')
    .replace('<namespace>/<name>', 'default/worker-1')
    .replace('<name>', 'node-1')
    .replace('<yyyy-mm-dd>', new Date().toISOString().slice(0, 10))
    .replace('<shard>', '0');

describe('the store in DynamoDB', () => {
  let engine: LocalDynamoDb;
  let client: DynamoDBClient;

  beforeAll(async () => {
    // As in AWS, a table is not usable at once.
    engine = await startDynamoDb({ createTableMilliseconds: 50 });
    client = createStoreClient({ endpoint: engine.endpoint });
  });
  afterAll(async () => {
    client.destroy();
    await engine.close();
  });

  const storeOf = (table: string) => createDynamoStore({ client, table, clock });

  /** With its table. */
  async function openStore(table: string) {
    const store = storeOf(table);
    await store.ensureTable();
    return store;
  }

  test('its table is created on request, and can be used by then', async () => {
    expect(await storeOf('created').ensureTable()).toBe('created');
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'created' }));
    expect(Table?.TableStatus).toBe('ACTIVE');
    expect(Table?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST');
  });

  test.each(Object.entries(calls))('%s creates none, and says that there is none', async (name, run) => {
    const table = `missing-${name}`;
    const failure = await run(storeOf(table)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(String(failure)).toBe(
      `StoreUnavailable: DynamoDB table ${table}: it is not there, or not yet, in this account and region; ` +
        'the image creates it when it is run with the argument "table"',
    );
    const look = client.send(new DescribeTableCommand({ TableName: table }));
    await expect(look).rejects.toThrow(ResourceNotFoundException);
  });

  test('many at once create it once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => storeOf('at-once').ensureTable()));
    expect(outcomes).toContain('created');
    await storeOf('at-once').recordEvictions(machine, [eviction]);
    expect(await storeOf('at-once').podRecords('uid-1')).toMatchObject([{ attempts: 1 }]);
  });

  test('a table that is there is left as it is', async () => {
    const store = await openStore('left');
    await store.appendHistory(machine, [entry]);
    expect(await Promise.all([store.ensureTable(), store.ensureTable()])).toEqual(['found', 'found']);
    expect(await store.history('uid-1')).toEqual([entry]);
  });

  test('a creation that was interrupted is gone on with', async () => {
    await client.send(new CreateTableCommand({ TableName: 'interrupted', ...tableDefinition }));
    const store = await openStore('interrupted');
    await store.appendHistory(machine, [entry]);
    expect(await store.history('uid-1')).toEqual([entry]);
  });

  test('a table without the index is named, and only what needs the index fails', async () => {
    const { GlobalSecondaryIndexes: _, ...withoutIndex } = tableDefinition;
    const AttributeDefinitions = tableDefinition.AttributeDefinitions.slice(0, 2);
    await client.send(
      new CreateTableCommand({ TableName: 'foreign', ...withoutIndex, AttributeDefinitions }),
    );
    const store = await openStore('foreign');
    await store.appendHistory(machine, [entry]);
    const failure = await store.due(now, 10).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(String(failure)).toBe(
      'StoreUnavailable: DynamoDB table foreign: ValidationException: The table does not have the specified index: due',
    );
  });

  test('items are as documented', async () => {
    const store = await openStore('items');
    await store.recordEvictions(machine, [eviction]);
    await store.schedule({ machine, at: 1_900_000_000_500, failures: 2 });
    await store.appendHistory(machine, [{ ...entry, node: 'node-1' }]);
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'items' }));
    const bySort = new Map(Items.map((item) => [item['sk']?.S, item]));
    const keys = Items.map(({ pk, sk }) => `${pk?.S} ${sk?.S}`);
    const documented = itemKinds.map(({ pk, sk }) => filledIn(`${pk} ${sk}`));
    expect(keys.toSorted()).toEqual(documented.toSorted());
    expect(bySort.get('due')).toMatchObject({
      dueShard: { S: 'due#4' },
      dueAt: { N: '1900000000500' },
      failures: { N: '2' },
      expires: { N: '1900604801' },
    });
    expect(bySort.get('pod#p')).toMatchObject({ attempts: { N: '1' }, refusedThrottled: { N: '1' } });
    expect(bySort.get('pod#p')).not.toHaveProperty('dueShard');
    expect(bySort.get('history#1')).toMatchObject({ machine: { M: { name: { S: 'worker-1' } } } });
    expect(bySort.get('history#1')).toMatchObject({ node: { S: 'node-1' } });
  });

  test('pointers expire a day after the history, as the table does it, and are in no index', async () => {
    let time = Date.UTC(2040, 0, 1);
    const passing = { ...systemClock, now: () => time };
    const store = createDynamoStore({ client, table: 'pointers', clock: passing, retentionSeconds: 60 });
    await store.ensureTable();
    await store.appendHistory(machine, [entry]);
    time += 10 * 60 * 60 * 1_000;
    await store.appendHistory(machine, [entry]);
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'pointers' }));
    const pointers = Items.filter(({ sk }) => sk?.S === 'machine#uid-1');
    const machineMap = { M: Object.fromEntries(Object.entries(machine).map(([name, S]) => [name, { S }])) };
    expect(pointers.map(({ pk, ...rest }) => [pk?.S, rest])).toEqual(
      ['name#default/worker-1', 'day#2040-01-01#0'].map((pk) => [
        pk,
        { sk: { S: 'machine#uid-1' }, machine: machineMap, expires: { N: '2209075260' } },
      ]),
    );
  });

  test('items of another version that cannot be read are passed over', async () => {
    const store = await openStore('foreign-items');
    await store.appendHistory(machine, [entry]);
    const keys = [
      { pk: { S: 'machine#uid-1' }, sk: { S: 'history#2' } },
      { pk: { S: 'machine#uid-1' }, sk: { S: 'pod#p' } },
      { pk: { S: 'machine#uid-2' }, sk: { S: 'due' }, dueShard: { S: 'due#0' }, dueAt: { N: String(now) } },
    ];
    for (const Item of keys) await client.send(new PutItemCommand({ TableName: 'foreign-items', Item }));
    expect(await store.history('uid-1')).toEqual([entry]);
    expect(await store.podRecords('uid-1')).toEqual([]);
    expect(await store.due(now, 10)).toEqual([]);
  });

  test('an item that says no time gives way to the next look, and is not taken for one that is to be forgotten', async () => {
    const store = await openStore('timeless');
    const look = { machine, at: now, failures: 0 };
    const timeless = { pk: { S: 'machine#uid-1' }, sk: { S: 'due' }, failures: { N: '3' } };
    await client.send(new PutItemCommand({ TableName: 'timeless', Item: timeless }));
    await store.unschedule('uid-1', look);
    const { Items } = await client.send(new ScanCommand({ TableName: 'timeless' }));
    expect(Items).toEqual([timeless]);
    expect(await store.schedule(look)).toBe(true);
    expect(await store.due(now, 10)).toEqual([look]);
  });

  test.each([1, 3, 10])('items that cannot be read hide no look behind them: at most %i', async (limit) => {
    const table = `behind-${limit}`;
    const store = await openStore(table);
    const look = { machine, at: now, failures: 0 };
    await store.schedule(look);
    for (let index = 1; index <= 5; index += 1) {
      const key = { pk: { S: `machine#other-${index}` }, sk: { S: 'due' } };
      const Item = { ...key, dueShard: { S: 'due#4' }, dueAt: { N: String(now - index) } };
      await client.send(new PutItemCommand({ TableName: table, Item }));
    }
    expect(await store.due(now, limit)).toEqual([look]);
  });

  test('a message of a megabyte is shortened, not refused for ever', async () => {
    const store = await openStore('long');
    await store.appendHistory(machine, [{ ...entry, message: 'ü'.repeat(1_000_000) }]);
    const [kept] = await store.history('uid-1');
    expect(kept?.message).toBe(`${'ü'.repeat(7_999)}…`);
  });

  test('how long the history is kept can be chosen', async () => {
    let time = now;
    const passing = { ...systemClock, now: () => time };
    const store = createDynamoStore({ client, table: 'kept', clock: passing, retentionSeconds: 60 });
    await store.ensureTable();
    await store.appendHistory(machine, [entry]);
    time += 59_000;
    expect(await store.history('uid-1')).toHaveLength(1);
    time += 2_000;
    expect(await store.history('uid-1')).toEqual([]);
  });
});

describe('a DynamoDB that does not answer', () => {
  test.each(Object.entries({ ...calls, ensureTable }))(
    '%s says which table, and that nobody listens',
    async (_, run) => {
      const client = createStoreClient({ endpoint: await nobodyThere() });
      const failure = await run(createDynamoStore({ client, table: 'phaseout', clock })).catch(
        (e: unknown) => e,
      );
      client.destroy();
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(String(failure)).toMatch(
        /^StoreUnavailable: DynamoDB table phaseout: .*ECONNREFUSED 127\.0\.0\.1:\d+$/,
      );
    },
  );

  test('a slow one is given up after the time given, for all Pods of a Machine at once', async () => {
    const slow = createServer(() => {});
    const client = createStoreClient({ endpoint: await listenLocally(slow) });
    const store = createDynamoStore({ client, table: 'phaseout', clock, timeoutMilliseconds: 100 });
    const pods = Array.from({ length: 400 }, (_, index) => ({ ...eviction, podUid: `pod-${index}` }));
    const begun = performance.now();
    const failure = await store.recordEvictions(machine, pods).catch((error: unknown) => error);
    const milliseconds = performance.now() - begun;
    client.destroy();
    slow.closeAllConnections();
    slow.close();
    expect(String(failure)).toBe('StoreUnavailable: DynamoDB table phaseout: no answer within 100 ms');
    expect(milliseconds).toBeLessThan(1_000);
  });

  test('one that nobody has keys for is told apart from one that does not answer', async () => {
    const client = new DynamoDBClient({
      endpoint: await nobodyThere(),
      region: 'us-east-1',
      credentials: () => new Promise(() => undefined),
    });
    const store = createDynamoStore({ client, table: 'phaseout', clock, timeoutMilliseconds: 50 });
    const failure = await store.due(now, 1).catch((error: unknown) => error);
    client.destroy();
    expect(String(failure)).toBe('StoreUnavailable: DynamoDB table phaseout: no credentials within 50 ms');
  });

  test('one in no region says what to set', async () => {
    const client = new DynamoDBClient({
      region: noRegion,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
    const failure = await createDynamoStore({ client, table: 'phaseout', clock })
      .due(now, 1)
      .catch((error: unknown) => error);
    client.destroy();
    expect(String(failure)).toBe(
      'StoreUnavailable: DynamoDB table phaseout: no region is set: AWS_REGION, or the endpoint of a store that is not AWS',
    );
  });

  test('an error that is no DynamoDB’s is named', async () => {
    const proxy = createServer((_, response) => response.writeHead(502).end('<html>Bad Gateway</html>'));
    const client = createStoreClient({ endpoint: await listenLocally(proxy) });
    const failure = await createDynamoStore({ client, table: 'phaseout', clock })
      .due(now, 1)
      .catch((e: unknown) => e);
    client.destroy();
    proxy.closeAllConnections();
    proxy.close();
    expect(failure).toBeInstanceOf(StoreUnavailable);
  });

  test('forgiven, one that never answers costs a step its time once', async () => {
    const began = Date.parse('2026-01-01T00:00:00Z');
    const time = new VirtualClock(began);
    let requests = 0;
    const silent = createServer(() => {
      requests += 1;
      void time.advance(2_000);
    });
    const client = createStoreClient({ endpoint: await listenLocally(silent) });
    const under = createDynamoStore({ client, table: 'phaseout', clock: time, timeoutMilliseconds: 2_000 });
    const store = forgivingStore(under, { clock: time, log: () => undefined });
    for (const call of [askOnce, ...Object.values(calls)]) await call(store);
    client.destroy();
    silent.closeAllConnections();
    silent.close();
    expect({ requests, milliseconds: time.now() - began }).toEqual({ requests: 1, milliseconds: 2_000 });
  });

  test('forgiven, it costs a deletion next to nothing', async () => {
    const client = createStoreClient({ endpoint: await nobodyThere() });
    const lines: string[] = [];
    const under = createDynamoStore({ client, table: 'phaseout', clock });
    const store = forgivingStore(under, { clock, log: (line) => lines.push(line) });
    const begun = performance.now();
    for (let step = 0; step < 200; step += 1) await store.recordEvictions(machine, [eviction]);
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(store.isAvailable()).toBe(false);
    expect(lines).toHaveLength(1);
    client.destroy();
  });
});

const noRegion = (): Promise<string> => Promise.reject(new Error('Region is missing'));

/** The address of a server that has just been closed. */
async function nobodyThere(): Promise<string> {
  const server = createServer();
  const endpoint = await listenLocally(server);
  await new Promise((resolve) => server.close(resolve));
  return endpoint;
}
