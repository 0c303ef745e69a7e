import { beforeEach, describe, expect, test } from 'vitest';
import { LoadLimit } from '../../../../shared/adapters/kubernetes/load-limit.ts';
import type { Answer, ApiRequest } from '../../../../shared/adapters/kubernetes/request.ts';
import type { LimitState } from '../../../../shared/async/adaptive-limit.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

const answer = (code: number): Answer => ({ code, text: '', retryAfter: undefined });
const request = (more: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'GET',
  verb: 'get',
  address: { path: '/api/v1/nodes/a', label: 'nodes/a', resource: 'nodes' },
  ...more,
});

let clock: ManualClock;
let limit: LoadLimit;
let standing: LimitState | undefined;

beforeEach(() => {
  clock = manualClock();
  standing = undefined;
  limit = new LoadLimit(clock, (told) => void (standing = told));
});

/** One that is answered after so long. */
const asked = (milliseconds: number, code = 200, more: Partial<ApiRequest> = {}): Promise<Answer> =>
  limit.run(
    request(more),
    () => new Promise((resolve) => void clock.after(milliseconds, () => resolve(answer(code)))),
  );

/** A load without a break: so many requests at a time for so many seconds. Each takes as long as the server. */
async function busy(atOnce: number, seconds: number, took: () => number, code = 200): Promise<number> {
  const until = clock.now() + seconds * 1_000;
  let answered = 0;
  const one = async (): Promise<void> => {
    while (clock.now() < until) {
      await asked(took(), code);
      answered += 1;
    }
  };
  const all = Array.from({ length: atOnce }, one);
  await clock.advance(seconds * 1_000 + 60_000);
  await Promise.all(all);
  return answered;
}

describe('requests to one API server', () => {
  test('wait for a place where 32 are under way', async () => {
    const all = Array.from({ length: 40 }, () => asked(100));
    await clock.advance(1);
    expect(standing).toEqual({ limit: 32, underWay: 32, waiting: 8 });
    await clock.advance(200);
    expect(await Promise.all(all)).toHaveLength(40);
    expect(standing).toEqual({ limit: 32, underWay: 0, waiting: 0 });
  });

  test('are more while answers are quick', async () => {
    await busy(100, 60, () => 50);
    expect(standing?.limit).toBe(64);
  });

  test.each([429, 503])('are fewer where the server answers %i', async (code) => {
    await busy(40, 5, () => 100, code);
    expect(standing?.limit).toBeLessThan(12);
  });

  test.each([200, 404, 409, 422, 500])('are not fewer where it answers %i', async (code) => {
    await busy(20, 5, () => 100, code);
    expect(standing?.limit).toBe(32);
  });

  test('are fewer where none is answered in time', async () => {
    await clock.advance(2_000);
    const unanswered = limit.run(request(), () => Promise.reject(new Error('no answer')));
    await expect(unanswered).rejects.toThrow('no answer');
    expect(standing?.limit).toBe(22);
  });

  test('are fewer once the server gets ten times slower, each is answered, and then more again', async () => {
    const took = (): number => {
      const seconds = clock.now() / 1_000;
      return seconds >= start + 30 && seconds < start + 60 ? 1_000 : 100;
    };
    const start = clock.now() / 1_000;
    const limits: number[] = [];
    for (const second of [29, 59, 180])
      clock.after(second * 1_000, () => void limits.push(standing?.limit ?? 0));
    await busy(100, 180, took);
    const [before = 0, slow = 0, after = 0] = limits;
    expect(before).toBeGreaterThan(55);
    expect(slow).toBeLessThan(12);
    expect(after).toBeGreaterThan(55);
  });

  test('leave evictions alone, which have a queue of their own', async () => {
    const reads = Array.from({ length: 40 }, () => asked(10_000));
    const eviction = asked(10, 429, { lane: 'evictions', verb: 'create' });
    await clock.advance(10);
    expect((await eviction).code).toBe(429);
    expect(standing).toMatchObject({ limit: 32, waiting: 8 });
    await clock.advance(30_000);
    await Promise.all(reads);
  });
});
