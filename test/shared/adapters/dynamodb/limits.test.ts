import {
  DescribeTableCommand,
  PutItemCommand,
  type QueryCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createDynamoStore, type DynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import type {
  CallOptions,
  TableClient,
  TableCommand,
} from '../../../../shared/adapters/dynamodb/table-client.ts';
import { StoreUnavailable } from '../../../../shared/store/port.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

type Answer = (command: TableCommand, options: CallOptions) => Promise<object>;

function aStore(answer: Answer) {
  const clock = manualClock();
  const send = async (command: TableCommand, options: CallOptions): Promise<QueryCommandOutput> => ({
    $metadata: {},
    ...(await answer(command, options)),
  });
  const config = { region: async () => 'here', credentials: async () => ({}) };
  const client: TableClient = { config, send };
  return { clock, store: createDynamoStore({ client, table: 'phaseout', clock }) };
}

const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' };
const attempt = (podUid: string, text = 'no') =>
  ({
    podUid,
    namespace: 'shop',
    name: podUid,
    at: 0,
    outcome: 'refused',
    refusal: { cause: 'Throttled', text },
  }) as const;
const entry = (id: string) =>
  ({ at: 0, id, phase: 'drain', what: 'acted', reason: '', message: '', by: 'a' }) as const;

const calls: Record<string, (store: DynamoStore) => Promise<unknown>> = {
  recordEvictions: (store) => store.recordEvictions(machine, [attempt('p')]),
  podRecords: (store) => store.podRecords('uid-1'),
  schedule: (store) => store.schedule({ machine, at: 0, failures: 0 }),
  due: (store) => store.due(0, 1),
  unschedule: (store) => store.unschedule('uid-1', { at: 0 }),
  claim: (store) => store.claim({ machine, by: 'a', at: 0, until: 1 }),
  release: (store) => store.release({ machine, by: 'a', ours: [] }),
  hear: (store) => store.hear('uid-1', '7'),
  appendHistory: (store) => store.appendHistory(machine, [entry('1')]),
  history: (store) => store.history('uid-1'),
  machinesBy: (store) => store.machinesBy({ kind: 'node', node: 'node-1' }),
  ensureTable: (store) => store.ensureTable(),
};

// A step waits for it, several times over, before the forgiving store learns that no answer comes.
test.each(Object.entries(calls))(
  '%s is given up after five seconds, and whoever sends it is told to stop',
  async (_name, call) => {
    const signals: AbortSignal[] = [];
    const { clock, store } = aStore((_command, { abortSignal }) => {
      signals.push(abortSignal);
      return new Promise(() => undefined);
    });
    let failure: unknown;
    void call(store).catch((error: unknown) => (failure = error));
    await clock.advance(4_999);
    expect(failure).toBeUndefined();
    expect(signals.map(({ aborted }) => aborted)).not.toContain(true);
    await clock.advance(1);
    expect(failure).toEqual(new StoreUnavailable('DynamoDB table phaseout: no answer within 5000 ms'));
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.map(({ aborted }) => aborted)).not.toContain(false);
  },
);

const many = Array.from({ length: 40 }, (_, number) => `${number}`);

// A Node has hundreds of Pods, and the table a limit that all Machines share.
test.each<
  [string, typeof PutItemCommand | typeof UpdateItemCommand, number, (store: DynamoStore) => Promise<void>]
>([
  [
    'attempts',
    UpdateItemCommand,
    40,
    (store) =>
      store.recordEvictions(
        machine,
        many.map((pod) => attempt(pod)),
      ),
  ],
  ['entries of the history', PutItemCommand, 40, (store) => store.appendHistory(machine, many.map(entry))],
])('of many %s sixteen are written at a time, and all are', async (_what, kind, all, write) => {
  let [underWay, most, written] = [0, 0, 0];
  const { store } = aStore(async (command) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    written += command instanceof kind ? 1 : 0;
    return {};
  });
  await write(store);
  expect({ most, written }).toEqual({ most: 16, written: all });
});

// A webhook may refuse an eviction in whatever words it likes, and an item has room for 400 KB.
test('the words of a refusal are shortened: its record could not be written otherwise, nor any after it', async () => {
  const kept: unknown[] = [];
  const { store } = aStore(async (command) => {
    if (command instanceof UpdateItemCommand)
      kept.push(command.input.ExpressionAttributeValues?.[':refusal']);
    return {};
  });
  await store.recordEvictions(machine, [attempt('p', 'ü'.repeat(1_000_000))]);
  expect(kept).toEqual([{ M: { cause: { S: 'Throttled' }, text: { S: `${'ü'.repeat(7_999)}…` } } }]);
});

test('a table that does not become active is given up after a minute, looked at ten times a second', async () => {
  let looks = 0;
  const { clock, store } = aStore(async (command) => {
    if (command instanceof DescribeTableCommand) looks += 1;
    return { Table: { TableStatus: 'CREATING' } };
  });
  let failure: unknown;
  void store.ensureTable().catch((error: unknown) => (failure = error));
  await clock.advance(59_999);
  expect(failure).toBeUndefined();
  await clock.advance(1);
  expect(failure).toEqual(new StoreUnavailable('DynamoDB table phaseout: it was not active after 60 s'));
  expect(looks).toBe(601);
});
