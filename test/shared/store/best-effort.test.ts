import { beforeEach, describe, expect, test } from 'vitest';
import { forgivingStore } from '../../../shared/store/best-effort.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import {
  type ForgivingStore,
  type HistoryEntry,
  type Store,
  StoreUnavailable,
} from '../../../shared/store/port.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { clockOf } from '../../builders/clock.ts';

const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace: 'default',
  name: 'worker-1',
  uid: 'uid-1',
};
const anEntry = (id: string): HistoryEntry => ({
  at: 0,
  id,
  phase: 'drain',
  what: 'waited',
  reason: 'DrainingNode',
  message: '',
  by: 'a',
});

describe('a forgiving store', () => {
  let now: number;
  let passed: number;
  let failure: Error | undefined;
  let calls: number;
  let lines: string[];
  let store: ForgivingStore;

  beforeEach(() => {
    now = 1_000_000;
    passed = 0;
    failure = undefined;
    calls = 0;
    lines = [];
    const clock: Clock = clockOf(
      () => now,
      () => passed,
    );
    const under = intercepted(createMemoryStore(clock), async () => {
      calls += 1;
      if (failure !== undefined) throw failure;
    });
    store = forgivingStore(under, { clock, log: (line) => lines.push(line) });
  });

  const breakDown = (): void => {
    failure = new StoreUnavailable('connect ECONNREFUSED 127.0.0.1:8000');
  };
  const callsOf = async (run: () => Promise<unknown>): Promise<number> => {
    const before = calls;
    await run();
    return calls - before;
  };

  test('is the store itself while that answers, and says nothing', async () => {
    await store.appendHistory(machine, [anEntry('1')]);
    await store.recordEvictions(machine, [
      { podUid: 'p', namespace: 'shop', name: 'cart-0', at: now, outcome: 'accepted' },
    ]);
    await store.schedule({ machine, at: now, failures: 0 });
    expect(await store.history('uid-1')).toEqual([anEntry('1')]);
    expect(await store.podRecords('uid-1')).toMatchObject([{ podUid: 'p', attempts: 1 }]);
    expect(await store.due(now, 10)).toEqual([{ machine, at: now, failures: 0 }]);
    await store.unschedule('uid-1', { at: now });
    expect(await store.due(now, 10)).toEqual([]);
    expect(store.isAvailable()).toBe(true);
    expect(lines).toEqual([]);
  });

  test('forgets a look only if it is still set to that time', async () => {
    await store.schedule({ machine, at: now, failures: 0 });
    await store.unschedule('uid-1', { at: now - 1 });
    expect(await store.due(now, 10)).toHaveLength(1);
  });

  test('answers empty and drops what is written while the store is down', async () => {
    breakDown();
    expect(await store.due(now, 10)).toEqual([]);
    expect(store.isAvailable()).toBe(false);
    expect(await store.history('uid-1')).toEqual([]);
    expect(await store.podRecords('uid-1')).toEqual([]);
    await store.appendHistory(machine, [anEntry('1')]);
    await store.recordEvictions(machine, []);
    // For all that is known, no other instance has set one: the caller must not count on others.
    expect(await store.schedule({ machine, at: now, failures: 0 })).toBe(true);
    await store.unschedule('uid-1');
  });

  test('hands claims and what is heard on while the store answers', async () => {
    const claim = { machine, by: 'a', at: now, until: now + 30_000 };
    expect(await store.claim(claim)).toEqual({ kind: 'taken', before: { ours: [], news: [] } });
    expect(await store.claim({ ...claim, by: 'b' })).toEqual({ kind: 'held' });
    expect(await store.hear('uid-1', '7')).toBe('noted');
    expect(await store.release({ machine, by: 'a', ours: [] })).toEqual({ kind: 'released', news: ['7'] });
  });

  test('has each step go on without a claim while the store is down', async () => {
    breakDown();
    const claim = { machine, by: 'a', at: now, until: now + 30_000 };
    for (const by of ['a', 'b'])
      expect(await store.claim({ ...claim, by })).toEqual({ kind: 'taken', before: { ours: [], news: [] } });
    expect(await store.hear('uid-1', '7')).toBe('free');
    expect(await store.release({ machine, by: 'a', ours: ['7'] })).toEqual({ kind: 'released', news: [] });
  });

  test('says one line when an outage begins and one when it is over, with what was lost', async () => {
    breakDown();
    await store.appendHistory(machine, [anEntry('1'), anEntry('2')]);
    await store.schedule({ machine, at: now, failures: 0 });
    await store.due(now, 10);
    now += 1_000;
    await store.appendHistory(machine, [anEntry('3')]);
    now += 2_000;
    failure = undefined;
    await store.history('uid-1');
    await store.history('uid-1');
    expect(lines).toEqual([
      'The store does not answer: connect ECONNREFUSED 127.0.0.1:8000. Deletions go on: evictions with default ' +
        'back-off, what is due by listing Machines. The history and eviction records of this time will be missing.',
      'The store answers again after 3 s. Writes lost: 4.',
    ]);
    expect(store.isAvailable()).toBe(true);
  });

  test('says it again when the store goes down again, and counts anew', async () => {
    breakDown();
    await store.unschedule('uid-1');
    now += 1_000;
    failure = undefined;
    await store.unschedule('uid-1');
    breakDown();
    await store.due(now, 10);
    now += 1_000;
    failure = undefined;
    await store.due(now, 10);
    expect(lines.filter((line) => line.startsWith('The store answers again'))).toEqual([
      'The store answers again after 1 s. Writes lost: 1.',
      'The store answers again after 1 s. Writes lost: 0.',
    ]);
  });

  test('leaves the store alone for 1 s, then twice as long each time, at most 30 s', async () => {
    breakDown();
    await store.due(now, 10);
    const pauses: number[] = [];
    for (let pause = 0; pauses.length < 8; ) {
      now += 500;
      pause += 0.5;
      if ((await callsOf(() => store.due(now, 10))) === 0) continue;
      pauses.push(pause);
      pause = 0;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test('does not leave it alone for longer because the clock was set back', async () => {
    breakDown();
    await store.history('uid-1');
    now -= 3_600_000;
    passed += 1_000;
    expect(await callsOf(() => store.history('uid-1'))).toBe(1);
    expect(await callsOf(() => store.history('uid-1'))).toBe(0);
  });

  test('calls that fail together make one outage with one pause', async () => {
    breakDown();
    await Promise.all([1, 2, 3, 4].map(() => store.due(now, 10)));
    expect(lines).toHaveLength(1);
    now += 1_000;
    expect(await callsOf(() => store.due(now, 10))).toBe(1);
  });

  test('one call at a time finds out whether the outage is over', async () => {
    breakDown();
    await store.due(now, 10);
    now += 1_000;
    expect(await callsOf(() => Promise.all([1, 2, 3].map(() => store.due(now, 10))))).toBe(1);
  });

  test('a call that began before the outage and ends well does not end it', async () => {
    const begun = store.history('uid-1');
    breakDown();
    await store.due(now, 10);
    await begun;
    expect(store.isAvailable()).toBe(false);
  });

  test('a mistake of ours is no outage', async () => {
    failure = new TypeError('x is not a function');
    await expect(store.due(now, 10)).rejects.toThrow('x is not a function');
    expect(store.isAvailable()).toBe(true);
    expect(lines).toEqual([]);
  });

  test('a mistake of ours while trying again leaves the next call free to try', async () => {
    breakDown();
    await store.due(now, 10);
    now += 1_000;
    failure = new TypeError('x is not a function');
    await expect(store.due(now, 10)).rejects.toThrow('x is not a function');
    failure = undefined;
    await store.due(now, 10);
    expect(store.isAvailable()).toBe(true);
  });
});

/** The store with `before` run before each call. */
const intercepted = (store: Store, before: () => Promise<void>): Store => ({
  recordEvictions: (ref, evictions) => before().then(() => store.recordEvictions(ref, evictions)),
  podRecords: (uid) => before().then(() => store.podRecords(uid)),
  recordHook: (ref, record) => before().then(() => store.recordHook(ref, record)),
  hookRecords: (uid) => before().then(() => store.hookRecords(uid)),
  schedule: (look) => before().then(() => store.schedule(look)),
  due: (at, limit) => before().then(() => store.due(at, limit)),
  unschedule: (uid, look) => before().then(() => store.unschedule(uid, look)),
  claim: (claim) => before().then(() => store.claim(claim)),
  release: (release) => before().then(() => store.release(release)),
  hear: (uid, version) => before().then(() => store.hear(uid, version)),
  appendHistory: (ref, entries) => before().then(() => store.appendHistory(ref, entries)),
  history: (uid) => before().then(() => store.history(uid)),
});
