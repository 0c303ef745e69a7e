import { beforeEach, describe, expect, test } from 'vitest';
import { AdaptiveLimit } from '../../../shared/async/adaptive-limit.ts';
import { clockOf } from '../../builders/clock.ts';
import { createRandom } from '../../simulation/random.ts';
import { Scheduler } from '../../simulation/scheduler.ts';

let now = 0;
let limit: AdaptiveLimit;
const ends: (() => void)[] = [];
const begun: string[] = [];

beforeEach(() => {
  now = 0;
  ends.length = 0;
  begun.length = 0;
  limit = new AdaptiveLimit(
    clockOf(() => now),
    { first: 4, least: 2, most: 6 },
  );
});

/** Work that ends when its end is called. */
function work(name: string, rank = 0, group?: string): Promise<void> {
  const over = Promise.withResolvers<void>();
  return limit.run({ rank, group }, () => {
    begun.push(name);
    ends.push(over.resolve);
    return over.promise;
  });
}

/** What has its turn has begun by then. */
const begins = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const many = (count: number): Promise<void>[] =>
  Array.from({ length: count }, (_, index) => work(`work ${index + 1}`));

/** So many answers, with a second after each. */
function answers(count: number, milliseconds: number, kind = 'get'): void {
  for (let each = 0; each < count; each += 1) {
    now += 1_000;
    limit.saw(kind, milliseconds);
  }
}

describe('work', () => {
  test('runs up to the limit at once, and then as soon as other work ends', async () => {
    const all = many(6);
    await begins();
    expect(limit.state).toEqual({ limit: 4, underWay: 4, waiting: 2 });
    ends.shift()?.();
    await all[0];
    await begins();
    expect(begun).toEqual(['work 1', 'work 2', 'work 3', 'work 4', 'work 5']);
    expect(limit.state).toEqual({ limit: 4, underWay: 4, waiting: 1 });
  });

  test('goes by rank, and then by when it came', async () => {
    const all = many(4);
    void work('new', 1);
    void work('begun');
    void work('begun, later');
    await begins();
    for (const end of ends.splice(0, 2)) end();
    await Promise.all(all.slice(0, 2));
    await begins();
    expect(begun.slice(4)).toEqual(['begun', 'begun, later']);
  });

  test('of one group leaves room for others', async () => {
    for (let each = 0; each < 5; each += 1) void work('of a slow one', 0, 'slow');
    void work('of another', 0, 'other');
    await begins();
    expect(begun).toEqual(['of a slow one', 'of a slow one', 'of a slow one', 'of another']);
    expect(limit.state).toEqual({ limit: 4, underWay: 4, waiting: 2 });
  });

  test('that fails gives its place back', async () => {
    await expect(limit.run({ rank: 0 }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(limit.state.underWay).toBe(0);
  });
});

describe('the limit', () => {
  test('grows by one a second while work waits and answers are quick, up to the most', () => {
    void many(20);
    limit.saw('get', 10);
    answers(1, 10);
    expect(limit.state.limit).toBe(5);
    answers(10, 10);
    expect(limit.state.limit).toBe(6);
  });

  test('stays while nothing waits', () => {
    answers(20, 10);
    expect(limit.state.limit).toBe(4);
  });

  test.each([
    ['most answers take four times as long as usual, and a quarter of a second more', 300, 2],
    ['they take some milliseconds more', 40, 4],
  ])('once %s: answers in %i ms make it %i', (_what, milliseconds, expected) => {
    answers(5, 10);
    answers(20, milliseconds);
    expect(limit.state.limit).toBe(expected);
  });

  test('does not fall for one kind of request that is always slow', () => {
    answers(5, 10);
    answers(20, 900, 'evict');
    expect(limit.state.limit).toBe(4);
  });

  test('falls at once where a server says that it has too much to do, once a second, and no lower than the least', () => {
    now = 1_000;
    limit.overloaded();
    limit.overloaded();
    expect(limit.state.limit).toBe(2);
    now = 60_000;
    limit.overloaded();
    expect(limit.state.limit).toBe(2);
  });

  test('comes back when answers are quick again, and takes a server that stays slow for usual in the end', () => {
    void many(20);
    answers(5, 10);
    answers(10, 1_000);
    expect(limit.state.limit).toBe(2);
    answers(30, 10);
    expect(limit.state.limit).toBe(6);
    answers(60, 60);
    now += 3_600_000;
    answers(20, 300);
    expect(limit.state.limit).toBe(6);
  });
});

/** 600 pieces of work of three requests each come at once. The argument gives the time of a lone request at a moment. */
async function load(aloneMilliseconds: (at: number) => number) {
  const scheduler = new Scheduler(0, createRandom(1));
  const limited = new AdaptiveLimit(scheduler, { first: 16, least: 4, most: 64 });
  const latencies: number[] = [];
  let underWay = 0;
  let done = 0;
  const request = (): Promise<void> =>
    new Promise((resolve) => {
      underWay += 1;
      const began = scheduler.now();
      scheduler.after(aloneMilliseconds(began) * underWay, () => {
        underWay -= 1;
        latencies.push(scheduler.now() - began);
        limited.saw('get', scheduler.now() - began);
        resolve();
      });
    });
  for (let each = 0; each < 600; each += 1)
    void limited.run({ rank: 0 }, async () => {
      for (let asked = 0; asked < 3; asked += 1) await request();
      done += 1;
    });
  const limits = new Map<number, number>();
  for (const second of [4, 30, 90]) {
    await scheduler.run(second * 1_000);
    limits.set(second, limited.state.limit);
  }
  await scheduler.run(600_000);
  return { limits, done, slowest: Math.max(...latencies) };
}

describe('a server that shares its time among all requests', () => {
  test('and is quick gets more and more', async () => {
    const { limits, done } = await load(() => 1);
    expect(done).toBe(600);
    expect(limits.get(4)).toBeGreaterThan(16);
  });

  test('and gets ten times slower for a while is asked less, gives up no request, and comes back', async () => {
    const { limits, done, slowest } = await load((at) => (at > 4_000 && at < 40_000 ? 100 : 10));
    expect(done).toBe(600);
    expect(slowest).toBeLessThan(10_000);
    expect(limits.get(30)).toBe(4);
    expect(limits.get(90)).toBeGreaterThan(4);
  });
});
