import { describe, expect, test } from 'vitest';
import { Cache } from '../../../shared/cache/cache.ts';
import { record } from '../../builders/pods.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

function aMemory() {
  const clock = manualClock();
  return { clock, cache: new Cache(clock) };
}

describe('Machines', () => {
  const machine = { metadata: { name: 'm-1', uid: 'uid-1', resourceVersion: '7' } };

  test('are remembered by their UID, with how long ago they were seen', async () => {
    const { clock, cache } = aMemory();
    cache.rememberMachine(machine);
    await clock.advance(500);
    expect(cache.machine('uid-1')?.raw).toBe(machine);
    expect(cache.machine('uid-1')?.age()).toBe(500);
    expect(cache.machine('uid-2')).toBeUndefined();
    cache.forgetMachine('uid-1');
    expect(cache.machine('uid-1')).toBeUndefined();
  });

  test('as of a read that was begun before a write of ours do not take the place of its answer', async () => {
    const { clock, cache } = aMemory();
    const age = clock.stopwatch();
    await clock.advance(500);
    const written = { metadata: { ...machine.metadata, resourceVersion: '8' } };
    cache.rememberMachine(written);
    cache.rememberMachine(machine, age);
    expect(cache.machine('uid-1')?.raw).toBe(written);
    expect(cache.machine('uid-1')?.age()).toBe(0);
  });

  test('give way to a later read when the clock was set back since', async () => {
    const { clock, cache } = aMemory();
    cache.rememberMachine(machine);
    clock.setBack(3_600_000);
    await clock.advance(1);
    const later = { metadata: { ...machine.metadata, resourceVersion: '8' } };
    cache.rememberMachine(later);
    expect(cache.machine('uid-1')?.raw).toBe(later);
  });

  test('without a UID are not remembered', () => {
    const { cache } = aMemory();
    cache.rememberMachine({ metadata: { name: 'm-1' } });
    expect(cache.machine('')).toBeUndefined();
  });

  test('that are gone stay gone, and so do their Pods', () => {
    const { cache } = aMemory();
    cache.rememberMachine(machine);
    cache.rememberPods('uid-1', [record('ns/a')]);
    cache.rememberGone('uid-1');
    expect(cache.isGone('uid-1')).toBe(true);
    expect(cache.isGone('uid-2')).toBe(false);
    expect(cache.machine('uid-1')).toBeUndefined();
    expect(cache.pods('uid-1')).toEqual([]);
  });
});

test('a Machine that a backup brings back is as if it was never seen', () => {
  const { cache } = aMemory();
  cache.note('uid-1', { isEndTold: true, requeue: { at: 0, seq: 1 } });
  cache.note('uid-1', { requeue: undefined });
  expect(cache.notes('uid-1')).toEqual({ isEndTold: true, requeue: undefined });
  cache.rememberGone('uid-1');
  expect(cache.notes('uid-1')).toEqual({});
});

type Given = ReturnType<typeof aMemory>;

const readEarlier = async ({ clock, cache }: Given) => {
  const age = clock.stopwatch();
  await clock.advance(1);
  cache.rememberGone('uid-1');
  cache.rememberBack('uid-1', age);
};

const readLater = async ({ clock, cache }: Given) => {
  cache.rememberGone('uid-1');
  await clock.advance(1);
  cache.rememberBack('uid-1', clock.stopwatch());
};

describe('a Machine that is gone', () => {
  test.each<[string, learn: typeof readLater, isGone: boolean]>([
    ['is back when a read that began later shows it', readLater, false],
    ['stays gone when an older read shows it', readEarlier, true],
  ])('%s, also by a clock that is set back', async (_what, learn, isGone) => {
    const given = aMemory();
    await learn(given);
    expect(given.cache.isGone('uid-1')).toBe(isGone);
    const other = aMemory();
    const learning = learn(other);
    other.clock.setBack(3_600_000);
    await learning;
    expect(other.cache.isGone('uid-1')).toBe(isGone);
  });
});

test('of each Pod the last record stands', () => {
  const { cache } = aMemory();
  cache.rememberPods('uid-1', [record('ns/a'), record('ns/b')]);
  cache.rememberPods('uid-1', [record('ns/a', { attempts: 2 })]);
  expect(cache.pods('uid-1')).toEqual([record('ns/b'), record('ns/a', { attempts: 2 })]);
  expect(cache.pods('uid-2')).toEqual([]);
});

test('of more than 1000 Pods of one Machine those are forgotten that nobody has evicted for longest', () => {
  const { cache } = aMemory();
  cache.rememberPods('uid-1', [record('ns/first'), record('ns/second')]);
  cache.rememberPods('uid-1', [record('ns/first')]);
  for (let n = 0; n < 998; n += 1) cache.rememberPods('uid-1', [record(`ns/pod-${n}`)]);
  expect(cache.pods('uid-1')).toHaveLength(1_000);
  cache.rememberPods('uid-1', [record('ns/back-again')]);
  expect(cache.pods('uid-1')).toHaveLength(1_000);
  expect(cache.pods('uid-1')[0]).toEqual(record('ns/first'));
});

describe('of more than 5000 Machines the one not heard of for longest is forgotten', () => {
  const most = 5_000;
  const uids = Array.from({ length: most + 1 }, (_, n) => `uid-${n}`);
  const remembered = (known: (uid: string) => boolean) => uids.filter(known).length;

  test('that are there', () => {
    const { cache } = aMemory();
    for (const uid of uids) cache.rememberMachine({ metadata: { name: uid, uid } });
    expect(cache.machine('uid-0')).toBeUndefined();
    expect(remembered((uid) => cache.machine(uid) !== undefined)).toBe(most);
  });

  test('that are gone', () => {
    const { cache } = aMemory();
    for (const uid of uids) cache.rememberGone(uid);
    expect(cache.isGone('uid-0')).toBe(false);
    expect(remembered((uid) => cache.isGone(uid))).toBe(most);
  });

  test('one that was seen again meanwhile stays', () => {
    const { cache } = aMemory();
    for (const uid of uids.slice(0, most)) cache.rememberMachine({ metadata: { name: uid, uid } });
    cache.rememberMachine({ metadata: { name: 'uid-0', uid: 'uid-0' } });
    cache.rememberMachine({ metadata: { name: 'new', uid: 'new' } });
    expect(cache.machine('uid-0')).toBeDefined();
    expect(cache.machine('uid-1')).toBeUndefined();
  });
});
