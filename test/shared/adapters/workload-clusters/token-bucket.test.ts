import { describe, expect, test } from 'vitest';

import {
  fullBucket,
  millisecondsToNextToken,
  refilled,
  slowedDown,
  type TokenBucket,
  withoutOneToken,
} from '../../../../shared/adapters/workload-clusters/eviction-queue.ts';

const rate = { perSecond: 100, burst: 200 };
const empty: TokenBucket = { tokens: 0, perSecond: 100, at: 0, slowedAt: undefined };

test('a new bucket holds the burst', () => {
  expect(fullBucket(rate, 5)).toEqual({ tokens: 200, perSecond: 100, at: 5, slowedAt: undefined });
});

test.each([
  [0, 0],
  [10, 1],
  [1_000, 100],
  [2_000, 200],
  [60_000, 200],
])('after %i ms %i tokens have come in', (milliseconds, tokens) => {
  expect(refilled(empty, rate, milliseconds).tokens).toBeCloseTo(tokens, 9);
});

test('a clock that went back takes nothing away', () => {
  expect(refilled({ ...empty, tokens: 3, at: 1_000 }, rate, 0).tokens).toBe(3);
});

test.each([
  [0, 100, 10],
  [0.5, 100, 5],
  [0.999999, 100, 1],
  [-1, 100, 20],
  [0, 1, 1_000],
])('with %f tokens at %i per second the next one comes in %i ms', (tokens, perSecond, milliseconds) => {
  expect(millisecondsToNextToken({ ...empty, tokens, perSecond })).toBe(milliseconds);
});

describe('being throttled', () => {
  test('halves the rate and drops what was saved up', () => {
    const bucket = slowedDown(fullBucket(rate, 0), 0, 10);
    expect(bucket).toEqual({ tokens: 0, perSecond: 50, at: 0, slowedAt: 10 });
  });

  test('counts once for requests that were under way together', () => {
    const bucket = slowedDown(empty, 0, 10);
    expect(slowedDown(bucket, 9, 12)).toBe(bucket);
    expect(slowedDown(bucket, 10, 12)).toBe(bucket);
    expect(slowedDown(bucket, 11, 12).perSecond).toBe(25);
  });

  test('never stops evictions altogether', () => {
    let bucket = empty;
    for (let n = 1; n < 20; n += 1) bucket = slowedDown(bucket, n * 10, n * 10 + 1);
    expect(bucket.perSecond).toBe(1);
  });

  test('is forgiven by a tenth of the configured rate each second, up to the configured rate', () => {
    const bucket = slowedDown(empty, 0, 0);
    expect(refilled(bucket, rate, 1_000)).toMatchObject({ perSecond: 60, tokens: 55 });
    expect(refilled(bucket, rate, 5_000).perSecond).toBe(100);
    expect(refilled(bucket, rate, 50_000).perSecond).toBe(100);
  });
});

test('taking a token takes one', () => {
  expect(withoutOneToken(empty).tokens).toBe(-1);
});
