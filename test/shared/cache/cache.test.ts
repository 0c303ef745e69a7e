import { describe, expect, test } from 'vitest';
import { Cache } from '../../../shared/cache/cache.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';
import { record } from '../drain/build.ts';

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

describe('a Machine that a backup brings back is as if it was never seen', () => {
  const status = { phase: 'Deleting' };
  const saying = { status, over: {}, failure: undefined };
  const rest = { age: () => 0, milliseconds: 1, generation: 1, message: 'busy' };

  test.each<[string, learn: (cache: Cache) => unknown, knows: (cache: Cache) => boolean]>([
    [
      'a write of its status is worth while',
      (cache) => cache.rememberFutileStatus('uid-1', '7', status),
      (cache) => cache.isStatusKnownFutile('uid-1', '7', status),
    ],
    [
      'its status is said anew',
      (cache) => cache.said.remember('uid-1', saying),
      (cache) => cache.said.isTooSoon('uid-1', saying),
    ],
    [
      'what is told of it is news',
      (cache) => cache.isToldFirst('uid-1', 'busy'),
      (cache) => !cache.isToldFirst('uid-1', 'busy'),
    ],
    [
      'its provider is asked',
      (cache) => cache.rememberRest('uid-1', rest),
      (cache) => cache.rest('uid-1', 1) !== undefined,
    ],
  ])('%s', (_what, learn, knows) => {
    const { cache } = aMemory();
    learn(cache);
    expect(knows(cache)).toBe(true);
    cache.rememberGone('uid-1');
    expect(knows(cache)).toBe(false);
  });
});

test('a provider that wants to be left alone is from that very moment on, and not from its end on', async () => {
  const { clock, cache } = aMemory();
  const rest = { age: clock.stopwatch(), milliseconds: 5_000, generation: 1, message: 'busy' };
  cache.rememberRest('uid-1', rest);
  expect(cache.rest('uid-1', 1)).toEqual(rest);
  await clock.advance(4_999);
  expect(cache.rest('uid-1', 1)).toEqual(rest);
  await clock.advance(1);
  expect(cache.rest('uid-1', 1)).toBeUndefined();
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

describe('with more than 5000 of a kind the one not used for longest is dropped', () => {
  const most = 5_000;
  const uids = Array.from({ length: most + 1 }, (_, n) => `uid-${n}`);
  const remembered = (known: (uid: string) => boolean) => uids.filter(known).length;

  test('Machines', () => {
    const { cache } = aMemory();
    for (const uid of uids) cache.rememberMachine({ metadata: { name: uid, uid } });
    expect(cache.machine('uid-0')).toBeUndefined();
    expect(remembered((uid) => cache.machine(uid) !== undefined)).toBe(most);
  });

  test('Machines that are gone', () => {
    const { cache } = aMemory();
    for (const uid of uids) cache.rememberGone(uid);
    expect(cache.isGone('uid-0')).toBe(false);
    expect(remembered((uid) => cache.isGone(uid))).toBe(most);
  });

  test('Pods of Machines', () => {
    const { cache } = aMemory();
    for (const uid of uids) cache.rememberPods(uid, [record('ns/a')]);
    expect(cache.pods('uid-0')).toEqual([]);
    expect(remembered((uid) => cache.pods(uid).length > 0)).toBe(most);
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

const hookAt = (time: string) => ({ deletion: { waitForPreDrainHookStartTime: time } });

describe('A status that a write did not change anything of', () => {
  function remembering() {
    const { cache } = aMemory();
    cache.rememberFutileStatus('uid-1', '7', hookAt('2026-01-01T00:00:35Z'));
    return (uid: string, resourceVersion: string, status: object): boolean =>
      cache.isStatusKnownFutile(uid, resourceVersion, status);
  }

  test.each([
    ['the same', 'uid-1', '7', hookAt('2026-01-01T00:00:35Z'), true],
    ['the same at a later time', 'uid-1', '7', hookAt('2026-01-01T00:00:56Z'), true],
    ['another', 'uid-1', '7', { phase: 'Deleting' }, false],
    ['that of a Machine that has changed', 'uid-1', '8', hookAt('2026-01-01T00:00:35Z'), false],
    ["another Machine's", 'uid-2', '7', hookAt('2026-01-01T00:00:35Z'), false],
  ])('is not worth another one: %s', (_which, uid, resourceVersion, status, isFutile) => {
    expect(remembering()(uid, resourceVersion, status)).toBe(isFutile);
  });
});
