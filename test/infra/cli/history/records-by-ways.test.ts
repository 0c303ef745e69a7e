import { describe, expect, test } from 'vitest';
import { recordsBy } from '../../../../infra/cli/history/records-by-ways.ts';
import { NotOpen, type Way } from '../../../../infra/cli/history/way.ts';
import { StoreUnavailable } from '../../../../shared/store/port.ts';
import { clockOf } from '../../../builders/clock.ts';

const entry = { at: 0, id: '1', phase: 'drain', what: 'acted', reason: '', message: '', by: 'a' } as const;

function aHouse() {
  let now = 0;
  const told: string[] = [];
  const store = { isDown: false };
  const lacking: Way = { name: 'the first', open: () => Promise.reject(new NotOpen('it is not named')) };
  const way: Way = {
    name: 'the second',
    async open(closing) {
      told.push('opened');
      closing.defer(() => void told.push('closed'));
      const archive = {
        history: async () => {
          if (store.isDown) throw new StoreUnavailable('it is down');
          return [entry];
        },
        podRecords: async () => [],
        machinesBy: async () => [],
        due: async () => [],
      };
      return { archive, where: '' };
    },
  };
  const closing = new AsyncDisposableStack();
  const recordsOf = recordsBy(
    [lacking, way],
    clockOf(() => now),
    closing,
  );
  return { recordsOf, told, store, closing, pass: (seconds: number) => void (now += seconds * 1_000) };
}

const notRead = {
  history: [],
  pods: [],
  unread: [
    'not read: history, by the first: it is not named',
    'not read: history, by the second: it is down',
  ],
};

describe('what the page remembers of a deletion', () => {
  test('comes by the first way that leads to a store, which stays open until the end', async () => {
    const { recordsOf, told, closing } = aHouse();
    await recordsOf('a');
    expect(await recordsOf('b')).toEqual({ history: [entry], pods: [], unread: [] });
    expect(told).toEqual(['opened']);
    await closing.disposeAsync();
    expect(told).toEqual(['opened', 'closed']);
  });

  test('is not said to be nothing where no way leads to a store: each says what it lacks', async () => {
    const { recordsOf, store, told } = aHouse();
    store.isDown = true;
    expect(await recordsOf('a')).toEqual(notRead);
    expect(told).toEqual(['opened', 'closed']);
  });

  test('is tried for again after half a minute', async () => {
    const { recordsOf, store, told, pass } = aHouse();
    store.isDown = true;
    await recordsOf('a');
    store.isDown = false;
    pass(29);
    expect(await recordsOf('a')).toEqual(notRead);
    pass(1);
    expect((await recordsOf('a')).unread).toEqual([]);
    expect(told).toEqual(['opened', 'closed', 'opened']);
  });
});
