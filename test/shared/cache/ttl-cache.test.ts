import { describe, expect, test } from 'vitest';
import { TtlCache } from '../../../shared/cache/ttl-cache.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';
import { counting, held } from '../reconcile/reads.ts';

function given() {
  const clock = manualClock();
  return { clock, recent: new TtlCache<unknown>(clock) };
}

const failing = async (): Promise<number> => {
  throw new Error('no answer');
};

describe('a recent read', () => {
  test('is given until its age is over, and no longer', async () => {
    const { clock, recent } = given();
    const { read } = counting();
    expect(await recent.get('key', 1_000, read)).toBe(1);
    await clock.advance(1_000);
    expect(await recent.get('key', 1_000, read)).toBe(1);
    await clock.advance(1);
    expect(await recent.get('key', 1_000, read)).toBe(2);
  });

  test('is given until its age is over whatever the clock is set back to', async () => {
    const { clock, recent } = given();
    const { read } = counting();
    await recent.get('key', 1_000, read);
    clock.setBack(3_600_000);
    await clock.advance(1_000);
    expect(await recent.get('key', 1_000, read)).toBe(1);
    await clock.advance(1);
    expect(await recent.get('key', 1_000, read)).toBe(2);
  });

  test('is as old as the one who asks can bear', async () => {
    const { clock, recent } = given();
    const { read } = counting();
    await recent.get('key', 0, read);
    await clock.advance(10);
    expect(await recent.get('key', 10, read)).toBe(1);
    expect(await recent.get('key', 5, read)).toBe(2);
  });

  test('is shared by all who ask while it is under way', async () => {
    const { recent } = given();
    const { begun, read } = held();
    const both = Promise.all([recent.get('key', 1_000, read), recent.get('key', 1_000, read)]);
    begun[0]!.answer('once');
    expect(await both).toEqual(['once', 'once']);
    expect(begun).toHaveLength(1);
  });

  test('counts its age from when it was begun, since that is what it saw', async () => {
    const { clock, recent } = given();
    const { begun, read } = held();
    const first = recent.get('key', 1_000, read);
    await clock.advance(900);
    begun[0]!.answer('slow');
    await first;
    await clock.advance(101);
    void recent.get('key', 1_000, read);
    expect(begun).toHaveLength(2);
  });

  test('that failed is not remembered', async () => {
    const { recent } = given();
    await expect(recent.get('key', 1_000, failing)).rejects.toThrow('no answer');
    expect(recent.known('key', 1_000)).toBeUndefined();
    expect(await recent.get('key', 1_000, counting().read)).toBe(1);
  });

  test('that fails late does not take a newer one with it', async () => {
    const { clock, recent } = given();
    const { begun, read } = held();
    const old = recent.get('key', 1_000, read);
    await clock.advance(2_000);
    const newer = recent.get('key', 1_000, read);
    begun[1]!.answer('newer');
    begun[0]!.fail(new Error('late'));
    await expect(old).rejects.toThrow('late');
    await newer;
    expect(await recent.get('key', 1_000, counting().read)).toBe('newer');
  });

  test('that is older than anybody has taken is let go of by the next one', async () => {
    const { clock, recent } = given();
    const { read } = counting();
    await recent.get('old', 1_000, read);
    await clock.advance(1);
    await recent.get('new', 500, read);
    await clock.advance(1_000);
    await recent.get('next', 500, read);
    expect(await recent.known('old', 60_000)).toBeUndefined();
    expect(await recent.known('new', 60_000)).toBe(2);
  });

  test('that nobody has taken so late yet is kept where that is said before', async () => {
    const clock = manualClock();
    const recent = new TtlCache<unknown>(clock, 30_000);
    const { read } = counting();
    await recent.get('early', 1_000, read);
    await clock.advance(20_000);
    await recent.get('next', 1_000, read);
    expect(await recent.get('early', 30_000, read)).toBe(1);
  });

  test('can be that of a write, as old as the write is', async () => {
    const { clock, recent } = given();
    const age = clock.stopwatch();
    await clock.advance(600);
    recent.set('key', 'written', age);
    await clock.advance(400);
    expect(await recent.known('key', 1_000)).toBe('written');
    await clock.advance(1);
    expect(recent.known('key', 1_000)).toBeUndefined();
  });

  test('of one thing is not that of another, and can be forgotten', async () => {
    const { recent } = given();
    const { read } = counting();
    expect(await recent.get('a', 1_000, read)).toBe(1);
    expect(await recent.get('b', 1_000, read)).toBe(2);
    recent.forget('a');
    expect(recent.known('a', 1_000)).toBeUndefined();
    expect(await recent.known('b', 1_000)).toBe(2);
  });
});

test('of more than 5000 reads the one not used for longest is dropped', async () => {
  const { recent } = given();
  const keys = Array.from({ length: 5_001 }, (_, n) => `key-${n}`);
  for (const key of keys) await recent.get(key, 0, async () => key);
  expect(recent.known('key-0', 0)).toBeUndefined();
  expect(keys.filter((key) => recent.known(key, 0) !== undefined)).toHaveLength(5_000);
});
