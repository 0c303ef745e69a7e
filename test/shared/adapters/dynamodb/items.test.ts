import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { type Item, map, number, text } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { createDynamoStore, type DynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

const clock = manualClock();
const now = clock.now();

/** What a table has kept since another version, or somebody by hand, wrote it. */
function storeOf(item: Item): DynamoStore {
  const send = async (): Promise<QueryCommandOutput> => ({ $metadata: {}, Items: [item] });
  const config = { region: async () => 'here', credentials: async () => ({}) };
  return createDynamoStore({ client: { config, send }, table: 'phaseout', clock });
}

const due = (item: Item) => storeOf(item).due(now, 1);
const history = (item: Item) => storeOf(item).history('uid-1');
const records = (item: Item) => storeOf(item).podRecords('uid-1');

const machinesBy = (item: Item) => storeOf(item).machinesBy({ kind: 'node', node: 'node-1' });

const without = (item: Item, field: string): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => name !== field));

const ref = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' };
const machine: Item = {
  apiVersion: text(ref.apiVersion),
  namespace: text(ref.namespace),
  name: text(ref.name),
  uid: text(ref.uid),
};

describe('a look', () => {
  const look: Item = { sk: text('due'), dueAt: number(now), failures: number(2), machine: map(machine) };

  test('is read with all that it says', async () => {
    expect(await due(look)).toEqual([{ machine: ref, at: now, failures: 2 }]);
  });

  test.each(['dueAt', 'machine'])('that lacks %s is passed over', async (field) => {
    expect(await due(without(look, field))).toEqual([]);
  });

  test.each(Object.keys(machine))('of a Machine that lacks its %s is passed over', async (field) => {
    expect(await due({ ...look, machine: map(without(machine, field)) })).toEqual([]);
  });

  test('of a Machine that is no map is passed over', async () => {
    expect(await due({ ...look, machine: text('m-1') })).toEqual([]);
  });

  test('that is provisional says so', async () => {
    expect(await due({ ...look, provisional: number(1) })).toEqual([
      { machine: ref, at: now, failures: 2, isProvisional: true },
    ]);
  });

  test('that is of a deletion says so', async () => {
    expect(await due({ ...look, deletion: number(1) })).toEqual([
      { machine: ref, at: now, failures: 2, isOfDeletion: true },
    ]);
  });

  test('that does not say how often it has failed has not', async () => {
    expect(await due(without(look, 'failures'))).toEqual([{ machine: ref, at: now, failures: 0 }]);
  });
});

describe('an entry of the history', () => {
  const entry: Item = {
    sk: text('history#1'),
    at: number(now),
    what: text('waited'),
    phase: text('drain'),
    reason: text('DrainingNode'),
    message: text('two Pods are left'),
    by: text('phaseout-1'),
  };
  const read = { at: now, id: '1', what: 'waited', phase: 'drain', reason: 'DrainingNode' } as const;

  test('is read with all that it says', async () => {
    expect(await history(entry)).toEqual([{ ...read, message: 'two Pods are left', by: 'phaseout-1' }]);
  });

  test.each(['sk', 'at', 'what'])('that lacks %s is passed over', async (field) => {
    expect(await history(without(entry, field))).toEqual([]);
  });

  test('of something that this version does not know is passed over', async () => {
    expect(await history({ ...entry, what: text('guessed') })).toEqual([]);
  });

  test.each(['phase', 'reason', 'message', 'by'])('that lacks its %s says nothing there', async (field) => {
    expect(await history(without(entry, field))).toMatchObject([{ id: '1', [field]: '' }]);
  });
});

describe('a pointer', () => {
  const pointer: Item = { sk: text('machine#uid-1'), machine: map(machine) };

  test('is read with all that it says', async () => {
    expect(await machinesBy(pointer)).toEqual([ref]);
  });

  test('that lacks its Machine is passed over', async () => {
    expect(await machinesBy(without(pointer, 'machine'))).toEqual([]);
  });
});

describe('a record of a Pod', () => {
  const record: Item = {
    sk: text('pod#p'),
    podNamespace: text('shop'),
    podName: text('cart-0'),
    attempts: number(3),
    refusedThrottled: number(2),
    firstAttempt: number(now - 9),
    lastAttempt: number(now),
    outcome: text('refused'),
    notBefore: number(now + 5),
    lastRefusal: map({ cause: text('BudgetExhausted'), text: text('no'), budget: text('guard') }),
  };

  test('is read with all that it says', async () => {
    expect(await records(record)).toStrictEqual([
      {
        podUid: 'p',
        namespace: 'shop',
        name: 'cart-0',
        attempts: 3,
        refusals: { Throttled: 2 },
        firstAttempt: now - 9,
        lastAttempt: now,
        outcome: 'refused',
        notBefore: now + 5,
        lastRefusal: { cause: 'BudgetExhausted', text: 'no', budget: 'guard' },
      },
    ]);
  });

  test.each(['sk', 'attempts', 'firstAttempt', 'lastAttempt', 'outcome'])(
    'that lacks %s is passed over',
    async (field) => {
      expect(await records(without(record, field))).toEqual([]);
    },
  );

  test.each(['podNamespace', 'podName'])('that lacks %s is known by its UID', async (field) => {
    expect(await records(without(record, field))).toMatchObject([
      { podUid: 'p', [field === 'podName' ? 'name' : 'namespace']: '' },
    ]);
  });

  test('of a refusal for a cause that this version does not know has failed, in its own words', async () => {
    const lastRefusal = map({ cause: text('Unheard'), text: text('why not') });
    const [read] = await records({ ...record, lastRefusal });
    expect(read?.lastRefusal).toStrictEqual({ cause: 'Failed', text: 'why not' });
  });

  test('that counts refusals for a cause that this version does not know is read without them', async () => {
    const [read] = await records({ ...record, refusedUnheard: number(7) });
    expect(read?.refusals).toStrictEqual({ Throttled: 2 });
  });

  test('of a refusal that an operator holds up says so', async () => {
    const cause = 'BudgetHeldByOperator';
    const lastRefusal = map({ cause: text(cause), text: text('no'), budget: text('guard') });
    const [read] = await records({ ...record, lastRefusal, refusedBudgetHeldByOperator: number(1) });
    expect(read?.lastRefusal).toStrictEqual({ cause, text: 'no', budget: 'guard' });
    expect(read?.refusals).toStrictEqual({ Throttled: 2, BudgetHeldByOperator: 1 });
  });

  test('of a denial by a webhook, which an older version has counted as failed, is read with its present words', async () => {
    const lastRefusal = map({ cause: text('AdmissionWebhook'), text: text('denied') });
    const [read] = await records({ ...record, lastRefusal, refusedFailed: number(3) });
    expect(read?.lastRefusal).toStrictEqual({ cause: 'AdmissionWebhook', text: 'denied' });
    expect(read?.refusals).toStrictEqual({ Throttled: 2, Failed: 3 });
  });

  test('of a cause that this version does not know has no time since when it lasts', async () => {
    const lasting = map({ cause: text('Unheard'), since: number(7) });
    const [read] = await records({ ...record, lasting });
    expect(read).not.toHaveProperty('lasting');
  });

  test('of a refusal without words has none', async () => {
    const [read] = await records({ ...record, lastRefusal: map({ cause: text('Throttled') }) });
    expect(read?.lastRefusal).toStrictEqual({ cause: 'Throttled', text: '' });
  });
});
