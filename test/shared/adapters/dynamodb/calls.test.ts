import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { number } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { toMachineAttribute } from '../../../../shared/adapters/dynamodb/machine-ref.ts';
import { createDynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import type { TableClient, TableCommand } from '../../../../shared/adapters/dynamodb/table-client.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' };
const attempt = (podUid: string, at: number) =>
  ({ podUid, namespace: 'shop', name: podUid, at, outcome: 'accepted' }) as const;

/**
 * A table without anything in it, or of which this is said, that keeps what it was sent and how many calls it was under at
 * most. The conditions of the `unmet` commands do not hold.
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
  expect(sent).toHaveLength(3);
  expect(most()).toBe(together);
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
  expect(sent.map(({ constructor }) => constructor.name)).toEqual([
    'UpdateItemCommand',
    'DeleteItemCommand',
    'UpdateItemCommand',
  ]);
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
