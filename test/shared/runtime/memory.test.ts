import { describe, expect, test } from 'vitest';
import { Memory } from '../../../shared/runtime/memory.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';
import { record } from '../drain/build.ts';

function aMemory() {
  const clock = manualClock();
  return { clock, memory: new Memory(clock) };
}

/** A read that answers 1, 2, 3 ... */
function counting() {
  let count = 0;
  return { read: async () => (count += 1), count: () => count };
}

/** Reads that end when they are told to. */
function held() {
  const begun: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const read = () =>
    new Promise<string>((answer, fail) => {
      begun.push({ answer, fail });
    });
  return { begun, read };
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

describe('a recent read', () => {
  test('is given until its age is over, and no longer', async () => {
    const { clock, memory } = aMemory();
    const { read } = counting();
    expect(await memory.recent('key', 1_000, read)).toBe(1);
    await clock.advance(1_000);
    expect(await memory.recent('key', 1_000, read)).toBe(1);
    await clock.advance(1);
    expect(await memory.recent('key', 1_000, read)).toBe(2);
  });

  test('is as old as the one who asks can bear', async () => {
    const { clock, memory } = aMemory();
    const { read } = counting();
    await memory.recent('key', 0, read);
    await clock.advance(10);
    expect(await memory.recent('key', 10, read)).toBe(1);
    expect(await memory.recent('key', 5, read)).toBe(2);
  });

  test('is shared by all who ask while it is under way', async () => {
    const { memory } = aMemory();
    const { begun, read } = held();
    const both = Promise.all([memory.recent('key', 1_000, read), memory.recent('key', 1_000, read)]);
    begun[0]!.answer('once');
    expect(await both).toEqual(['once', 'once']);
    expect(begun).toHaveLength(1);
  });

  test('counts its age from when it was begun, since that is what it saw', async () => {
    const { clock, memory } = aMemory();
    const { begun, read } = held();
    const first = memory.recent('key', 1_000, read);
    await clock.advance(900);
    begun[0]!.answer('slow');
    await first;
    await clock.advance(101);
    void memory.recent('key', 1_000, read);
    expect(begun).toHaveLength(2);
  });

  test('that failed is not remembered', async () => {
    const { memory } = aMemory();
    const failing = async (): Promise<number> => {
      throw new Error('no answer');
    };
    await expect(memory.recent('key', 1_000, failing)).rejects.toThrow('no answer');
    expect(memory.isFresh('key', 1_000)).toBe(false);
    expect(await memory.recent('key', 1_000, counting().read)).toBe(1);
  });

  test('that fails late does not take a newer one with it', async () => {
    const { clock, memory } = aMemory();
    const { begun, read } = held();
    const old = memory.recent('key', 1_000, read);
    await clock.advance(2_000);
    const newer = memory.recent('key', 1_000, read);
    begun[1]!.answer('newer');
    begun[0]!.fail(new Error('late'));
    await expect(old).rejects.toThrow('late');
    await newer;
    expect(await memory.recent('key', 1_000, counting().read)).toBe('newer');
  });

  test('of one thing is not that of another, and can be forgotten', async () => {
    const { memory } = aMemory();
    const { read } = counting();
    expect(await memory.recent('a', 1_000, read)).toBe(1);
    expect(await memory.recent('b', 1_000, read)).toBe(2);
    memory.forget('a');
    expect(memory.isFresh('a', 1_000)).toBe(false);
    expect(memory.isFresh('b', 1_000)).toBe(true);
  });
});

describe('the next read', () => {
  test('is never one that was begun before it was asked for', async () => {
    const { memory } = aMemory();
    const { begun, read } = held();
    const first = memory.next('key', read);
    const second = memory.next('key', read);
    await settled();
    expect(begun).toHaveLength(1);
    begun[0]!.answer('old');
    expect(await first).toBe('old');
    await settled();
    begun[1]!.answer('new');
    expect(await second).toBe('new');
  });

  test('is shared by all who wait for it to begin', async () => {
    const { memory } = aMemory();
    const { begun, read } = held();
    const first = memory.next('key', read);
    const waiting = [memory.next('key', read), memory.next('key', read)];
    await settled();
    begun[0]!.answer('old');
    await first;
    await settled();
    begun[1]!.answer('new');
    expect(await Promise.all(waiting)).toEqual(['new', 'new']);
    expect(begun).toHaveLength(2);
  });

  test('begins also after one that failed', async () => {
    const { memory } = aMemory();
    const { begun, read } = held();
    const first = memory.next('key', read);
    const second = memory.next('key', read);
    await settled();
    begun[0]!.fail(new Error('no answer'));
    await expect(first).rejects.toThrow('no answer');
    await settled();
    begun[1]!.answer('new');
    expect(await second).toBe('new');
  });

  test('is not remembered once it has ended', async () => {
    const { memory } = aMemory();
    const { read } = counting();
    expect(await memory.next('key', read)).toBe(1);
    expect(await memory.next('key', read)).toBe(2);
  });
});

describe('Machines', () => {
  const machine = { metadata: { name: 'm-1', uid: 'uid-1', resourceVersion: '7' } };

  test('are remembered by their UID, with the time they were seen', async () => {
    const { clock, memory } = aMemory();
    memory.rememberMachine(machine);
    const at = clock.now();
    await clock.advance(500);
    expect(memory.machine('uid-1')).toEqual({ raw: machine, at });
    expect(memory.machine('uid-2')).toBeUndefined();
    memory.forgetMachine('uid-1');
    expect(memory.machine('uid-1')).toBeUndefined();
  });

  test('without a UID are not remembered', () => {
    const { memory } = aMemory();
    memory.rememberMachine({ metadata: { name: 'm-1' } });
    expect(memory.machine('')).toBeUndefined();
  });

  test('that are gone stay gone, and so do their Pods', () => {
    const { memory } = aMemory();
    memory.rememberMachine(machine);
    memory.rememberPods('uid-1', [record('ns/a')]);
    memory.rememberGone('uid-1');
    expect(memory.isGone('uid-1')).toBe(true);
    expect(memory.isGone('uid-2')).toBe(false);
    expect(memory.machine('uid-1')).toBeUndefined();
    expect(memory.pods('uid-1')).toEqual([]);
  });
});

test('of each Pod the last record stands', () => {
  const { memory } = aMemory();
  memory.rememberPods('uid-1', [record('ns/a'), record('ns/b')]);
  memory.rememberPods('uid-1', [record('ns/a', { attempts: 2 })]);
  expect(memory.pods('uid-1')).toEqual([record('ns/a', { attempts: 2 }), record('ns/b')]);
  expect(memory.pods('uid-2')).toEqual([]);
});

describe('with more than 5000 of a kind the one not used for longest is dropped', () => {
  const most = 5_000;
  const uids = Array.from({ length: most + 1 }, (_, n) => `uid-${n}`);
  const remembered = (known: (uid: string) => boolean) => uids.filter(known).length;

  test('Machines', () => {
    const { memory } = aMemory();
    for (const uid of uids) memory.rememberMachine({ metadata: { name: uid, uid } });
    expect(memory.machine('uid-0')).toBeUndefined();
    expect(remembered((uid) => memory.machine(uid) !== undefined)).toBe(most);
  });

  test('Machines that are gone', () => {
    const { memory } = aMemory();
    for (const uid of uids) memory.rememberGone(uid);
    expect(memory.isGone('uid-0')).toBe(false);
    expect(remembered((uid) => memory.isGone(uid))).toBe(most);
  });

  test('Pods of Machines', () => {
    const { memory } = aMemory();
    for (const uid of uids) memory.rememberPods(uid, [record('ns/a')]);
    expect(memory.pods('uid-0')).toEqual([]);
    expect(remembered((uid) => memory.pods(uid).length > 0)).toBe(most);
  });

  test('reads', async () => {
    const { memory } = aMemory();
    for (const uid of uids) await memory.recent(uid, 0, async () => uid);
    expect(memory.isFresh('uid-0', 0)).toBe(false);
    expect(remembered((uid) => memory.isFresh(uid, 0))).toBe(most);
  });

  test('one that was seen again meanwhile stays', () => {
    const { memory } = aMemory();
    for (const uid of uids.slice(0, most)) memory.rememberMachine({ metadata: { name: uid, uid } });
    memory.rememberMachine({ metadata: { name: 'uid-0', uid: 'uid-0' } });
    memory.rememberMachine({ metadata: { name: 'new', uid: 'new' } });
    expect(memory.machine('uid-0')).toBeDefined();
    expect(memory.machine('uid-1')).toBeUndefined();
  });
});
