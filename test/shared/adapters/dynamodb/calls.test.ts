import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createDynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import type { TableClient, TableCommand } from '../../../../shared/adapters/dynamodb/table-client.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' };
const attempt = (podUid: string, at: number) =>
  ({ podUid, namespace: 'shop', name: podUid, at, outcome: 'accepted' }) as const;

/** A table without anything in it, or of which this is said, that keeps what it was sent and how many calls it was under at most. */
function aTable(said: object = {}) {
  const sent: TableCommand[] = [];
  let underWay = 0;
  let most = 0;
  const send = async (command: TableCommand): Promise<QueryCommandOutput> => {
    sent.push(command);
    most = Math.max(most, (underWay += 1));
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
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

test('a call that was answered leaves no timer behind', async () => {
  const { store, clock } = aTable();
  await store.due(0, 1);
  expect(clock.timers()).toBe(0);
});
