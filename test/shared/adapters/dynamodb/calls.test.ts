import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { number, toMachineAttribute } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { createDynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import type { TableClient, TableCommand } from '../../../../shared/adapters/dynamodb/table-client.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' };
const attempt = (podUid: string, at: number) =>
  ({ podUid, namespace: 'shop', name: podUid, at, outcome: 'accepted' }) as const;

/**
 * A table that answers with this, empty by default. It keeps the commands that it got, and the most calls that were
 * under way at once. The conditions of the `unmet` commands do not hold.
 */
function aTable(said: object = {}, unmet: (typeof UpdateItemCommand)[] = []) {
  const sent: TableCommand[] = [];
  let underWay = 0;
  let most = 0;
  const send = async (command: TableCommand): Promise<QueryCommandOutput> => {
    sent.push(command);
    most = Math.max(most, (underWay += 1));
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    if (unmet.some((kind) => command instanceof kind))
      throw new ConditionalCheckFailedException({ $metadata: {}, message: 'The conditional request failed' });
    return { $metadata: {}, Items: [], ...said };
  };
  const client: TableClient = {
    config: { region: async () => 'here', credentials: async () => ({}) },
    send,
  };
  const clock = manualClock();
  const store = createDynamoStore({ client, table: 'phaseout', clock });
  return { store, clock, sent, most: () => most };
}

const isConsistent = (command: TableCommand) =>
  command instanceof QueryCommand && command.input.ConsistentRead === true;

test.each(['podRecords', 'history'] as const)('%s are read as last written', async (name) => {
  const { store, sent } = aTable();
  await store[name]('uid-1');
  expect(sent.map(isConsistent)).toEqual([true]);
});

test.each<[string, string[], number]>([
  ['of one Pod follow one another', ['a', 'a', 'a'], 1],
  ['of several Pods do not', ['a', 'b', 'c'], 3],
])('attempts %s', async (_what, pods, together) => {
  const { store, sent, most } = aTable();
  await store.recordEvictions(
    machine,
    pods.map((pod, at) => attempt(pod, at)),
  );
  expect(sent.filter((command) => command instanceof UpdateItemCommand)).toHaveLength(3);
  // Besides, the pointers of all of them.
  expect(most()).toBe(together + 1);
});

test('all who ask for the table at once ask by the same calls', async () => {
  const { store, sent } = aTable({ Table: { TableStatus: 'ACTIVE' } });
  expect(await Promise.all([store.ensureTable(), store.ensureTable()])).toEqual(['found', 'found']);
  const names = sent.map(({ constructor }) => constructor.name);
  expect(names).toEqual(['DescribeTableCommand', 'DescribeTimeToLiveCommand', 'UpdateTimeToLiveCommand']);
});

const queriesIn = (sent: readonly TableCommand[]) =>
  sent.flatMap((command) => (command instanceof QueryCommand ? [command.input] : []));

test('no more looks are read than are asked for, of each shard', async () => {
  const { store, sent } = aTable();
  await store.due(0, 7);
  expect(queriesIn(sent).map(({ Limit }) => Limit)).toEqual(Array.from({ length: 16 }, () => 7));
});

test('of further pages only what is missing is read', async () => {
  const look = { dueAt: number(0), machine: toMachineAttribute(machine) };
  const { store, sent } = aTable({ Items: [look, look], LastEvaluatedKey: { pk: { S: 'x' } } });
  await store.due(0, 5);
  expect(new Set(queriesIn(sent).map(({ Limit }) => Limit))).toEqual(new Set([5, 3, 1]));
});

test('of items that make no sense some pages are read, and no end of them', async () => {
  const { store, sent } = aTable({ Items: [{}], LastEvaluatedKey: { pk: { S: 'x' } } });
  expect(await store.due(0, 1)).toEqual([]);
  const shards = Map.groupBy(queriesIn(sent), (query) => query.ExpressionAttributeValues?.[':shard']?.S);
  expect(shards.size).toBe(16);
  for (const queries of shards.values())
    expect(queries.map(({ Limit }) => Limit)).toEqual([1, 200, 200, 200, 200, 200, 200, 200, 200, 200]);
});

test('records are read without a limit', async () => {
  const { store, sent } = aTable();
  await store.podRecords('uid-1');
  expect(queriesIn(sent)[0]).not.toHaveProperty('Limit');
});

test('of a record that has expired only one that has is removed, should somebody have written it anew', async () => {
  const { store, clock, sent } = aTable({}, [UpdateItemCommand]);
  await store.recordEvictions(machine, [attempt('a', 5)]);
  const removal = sent.find((command) => command instanceof DeleteItemCommand);
  expect(removal?.input).toMatchObject({
    Key: { pk: { S: 'machine#uid-1' }, sk: { S: 'pod#a' } },
    ConditionExpression: 'expires <= :nowSeconds',
    ExpressionAttributeValues: { ':nowSeconds': { N: String(clock.now() / 1_000) } },
  });
  const names = sent.map(({ constructor }) => constructor.name).filter((name) => name !== 'PutItemCommand');
  expect(names).toEqual(['UpdateItemCommand', 'DeleteItemCommand', 'UpdateItemCommand']);
});

test('a call that was answered leaves no timer behind', async () => {
  const { store, clock } = aTable();
  await store.due(0, 1);
  expect(clock.timers()).toBe(0);
});

test('of an engine that does not give back what is there it is asked', async () => {
  const { store, sent } = aTable({ Items: [{ ours: { SS: ['7'] } }] }, [UpdateItemCommand]);
  expect(await store.hear('uid-1', '7')).toBe('echo');
  expect(await store.hear('uid-1', '8')).toBe('free');
  expect(queriesIn(sent)[0]?.ExpressionAttributeValues).toEqual({
    ':pk': { S: 'machine#uid-1' },
    ':prefix': { S: 'due' },
  });
});

/** What is put, request by request. */
function putsIn(command: TableCommand) {
  if (command instanceof PutItemCommand) return [command.input.Item];
  if (command instanceof TransactWriteItemsCommand)
    return command.input.TransactItems?.map(({ Put }) => Put?.Item) ?? [];
  return [];
}

/** Those that are sent together, together. */
const requestsForPointers = (sent: readonly TableCommand[]) =>
  sent
    .map((command) =>
      putsIn(command).flatMap((item) => (item?.['sk']?.S === 'machine#uid-1' ? [item['pk']?.S] : [])),
    )
    .filter(({ length }) => length > 0);

const pointersIn = (sent: readonly TableCommand[]) => requestsForPointers(sent).flat();

const entry = (id: string, node?: string) =>
  ({
    at: 0,
    id,
    phase: 'drain',
    what: 'acted',
    reason: '',
    message: '',
    by: 'a',
    ...(node && { node }),
  }) as const;

test('what leads to a history is written once by an instance, however often there is something to point to', async () => {
  const { store, sent } = aTable();
  for (const id of ['1', '2', '3']) {
    await store.recordEvictions(machine, [attempt('a', 1), attempt('b', 1)]);
    await store.appendHistory(machine, [entry(id), entry(`${id}-a`, 'node-1')]);
  }
  expect(requestsForPointers(sent)).toEqual([
    ['pod#shop/a', 'pod#shop/b'],
    ['name#default/m-1', expect.stringMatching(/^day#/), 'node#node-1'],
  ]);
});

test('of what is written only the rest is written with what comes next, alone as it may be', async () => {
  const { store, sent } = aTable();
  await store.recordEvictions(machine, [attempt('a', 1), attempt('b', 1)]);
  await store.recordEvictions(machine, [attempt('a', 2), attempt('c', 2)]);
  expect(requestsForPointers(sent)).toEqual([['pod#shop/a', 'pod#shop/b'], ['pod#shop/c']]);
  expect(sent.findLast((command) => putsIn(command).length > 0)).toBeInstanceOf(PutItemCommand);
});

test('a hundred go together, which is all that DynamoDB takes', async () => {
  const { store, sent } = aTable();
  await store.recordEvictions(
    machine,
    Array.from({ length: 201 }, (_, pod) => attempt(`${pod}`, 1)),
  );
  expect(requestsForPointers(sent).map(({ length }) => length)).toEqual([100, 100, 1]);
});

/** Two Pods are recorded, twice, where these are the first answers to what points to them. */
async function pointersAgainst(...answers: string[]) {
  const sent: TableCommand[] = [];
  const client: TableClient = {
    config: { region: async () => 'here', credentials: async () => ({}) },
    async send(command: TableCommand): Promise<QueryCommandOutput> {
      sent.push(command);
      const name = putsIn(command).length > 0 ? answers.shift() : undefined;
      if (name !== undefined) throw Object.assign(new Error('no'), { name });
      return { $metadata: {} };
    },
  };
  const store = createDynamoStore({ client, table: 'phaseout', clock: manualClock() });
  const counts: number[][] = [];
  for (const at of [1, 2]) {
    await store.recordEvictions(machine, [attempt('a', at), attempt('b', at)]);
    counts.push(requestsForPointers(sent.splice(0)).map(({ length }) => length));
  }
  return counts;
}

test.each<[string, string[], number[][]]>([
  ['is cancelled is sent once more', ['TransactionCanceledException'], [[2, 2], []]],
  ['comes too early is sent once more', ['TransactionInProgressException'], [[2, 2], []]],
  [
    'is cancelled twice waits for what comes next',
    ['TransactionCanceledException', 'TransactionCanceledException'],
    [[2, 2], [2]],
  ],
  ['is refused waits for what comes next', ['AccessDeniedException'], [[2], [2]]],
  ['is not answered waits for what comes next', ['TimeoutError'], [[2], [2]]],
  ['the engine does not know is put item by item', ['UnknownOperationException'], [[2, 1, 1], []]],
])('a transaction of pointers is no failure of the store: one that %s', async (_what, answers, counts) => {
  expect(await pointersAgainst(...answers)).toEqual(counts);
});

test('where nothing is written nothing is pointed to', async () => {
  const { store, sent } = aTable();
  await store.recordEvictions(machine, []);
  await store.appendHistory(machine, []);
  expect(sent).toEqual([]);
});

test('on the next day it is written once more, and so it outlives the history', async () => {
  const { store, sent, clock } = aTable();
  await store.appendHistory(machine, [entry('1', 'node-1')]);
  await clock.advance(24 * 60 * 60 * 1_000);
  await store.appendHistory(machine, [entry('2', 'node-1')]);
  expect(pointersIn(sent)).toHaveLength(6);
});

test('a pointer that could not be written is written with what comes next', async () => {
  const sent: TableCommand[] = [];
  let isDown = true;
  const client: TableClient = {
    config: { region: async () => 'here', credentials: async () => ({}) },
    async send(command: TableCommand): Promise<QueryCommandOutput> {
      if (isDown) throw new Error('down');
      sent.push(command);
      return { $metadata: {} };
    },
  };
  const store = createDynamoStore({ client, table: 'phaseout', clock: manualClock() });
  await expect(store.appendHistory(machine, [entry('1')])).rejects.toThrow('down');
  isDown = false;
  await store.appendHistory(machine, [entry('2')]);
  expect(pointersIn(sent)).toHaveLength(2);
});

test('the days since are asked for shard by shard, with queries only', async () => {
  const { store, sent, clock } = aTable();
  await store.machinesBy({ kind: 'since', at: clock.now() - 24 * 60 * 60 * 1_000 });
  const partitions = queriesIn(sent).map((query) => query.ExpressionAttributeValues?.[':pk']?.S ?? '');
  expect(sent).toHaveLength(8);
  expect(partitions.filter((partition) => /^day#\d{4}-\d\d-\d\d#[0-3]$/.test(partition))).toHaveLength(8);
});

test('no more days are asked for than pointers are kept', async () => {
  const { store, sent } = aTable();
  await store.machinesBy({ kind: 'since', at: 0 });
  expect(queriesIn(sent)).toHaveLength(4 * 33);
});
