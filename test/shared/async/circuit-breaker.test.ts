import { expect, test } from 'vitest';

import { CircuitBreaker } from '../../../shared/async/circuit-breaker.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

/** Why a call may not go on now. */
const reason = (breaker: CircuitBreaker): string | undefined =>
  breaker.pass() === 'none' ? breaker.outage?.why : undefined;

test('what answers is asked', () => {
  expect(new CircuitBreaker(manualClock(), 10_000).pass()).toBe('usual');
});

test('pauses double from 1 s to 30 s, and one tries out after each', async () => {
  const clock = manualClock();
  const breaker = new CircuitBreaker(clock, 10_000);
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    breaker.failed('refused');
    expect(reason(breaker)).toBe('refused');
    await clock.advance(seconds * 1_000 - 1);
    expect(reason(breaker)).toBe('refused');
    await clock.advance(1);
    expect(reason(breaker)).toBeUndefined();
    expect(reason(breaker)).toBe('refused');
  }
});

test('a clock that is set back in its midst does not make a pause longer', async () => {
  const clock = manualClock();
  const breaker = new CircuitBreaker(clock, 10_000);
  breaker.failed('refused');
  clock.setBack(3_600_000);
  await clock.advance(999);
  expect(reason(breaker)).toBe('refused');
  await clock.advance(1);
  expect(reason(breaker)).toBeUndefined();
});

test('failures of requests that were under way together count once', async () => {
  const clock = manualClock();
  const breaker = new CircuitBreaker(clock, 10_000);
  for (let n = 0; n < 50; n += 1) breaker.failed('refused');
  await clock.advance(1_000);
  expect(reason(breaker)).toBeUndefined();
});

test('an answer ends it, and the next outage begins with a short pause', async () => {
  const clock = manualClock();
  const breaker = new CircuitBreaker(clock, 10_000);
  breaker.failed('refused');
  await clock.advance(1_000);
  breaker.failed('refused');
  breaker.ended();
  expect(reason(breaker)).toBeUndefined();
  breaker.failed('refused');
  await clock.advance(1_000);
  expect(reason(breaker)).toBeUndefined();
});

test('if who tries out never says what came of it, the next one may', async () => {
  const clock = manualClock();
  const breaker = new CircuitBreaker(clock, 10_000);
  breaker.failed('refused');
  await clock.advance(1_000);
  expect(reason(breaker)).toBeUndefined();
  await clock.advance(9_999);
  expect(reason(breaker)).toBe('refused');
  await clock.advance(1);
  expect(reason(breaker)).toBeUndefined();
});

test('one outage has one text, and the next one its own', async () => {
  const clock = manualClock();
  const breaker = new CircuitBreaker(clock, 10_000);
  expect(breaker.outage?.why).toBeUndefined();
  breaker.failed('refused');
  expect(breaker.outage?.why).toBe('refused');
  await clock.advance(1_000);
  expect(breaker.outage?.why).toBe('refused');
  expect(reason(breaker)).toBeUndefined();
  expect(breaker.outage?.why).toBe('refused');
  breaker.failed('no answer within 10 s');
  expect(breaker.outage?.why).toBe('refused');
  expect(reason(breaker)).toBe('refused');
  breaker.ended();
  expect(breaker.outage?.why).toBeUndefined();
  breaker.failed('no answer within 10 s');
  expect(reason(breaker)).toBe('no answer within 10 s');
});

test('the first pause lasts a second, each other twice as long, and none over half a minute', async () => {
  const clock = manualClock();
  const breaker = new CircuitBreaker(clock);
  const pauses: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const age = clock.stopwatch();
    breaker.failed('refused');
    while (breaker.pass() === 'none') await clock.advance(500);
    pauses.push(age());
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('no pause is on before the first failure, nor after an answer, and the next is short again', async () => {
  const clock = manualClock();
  const breaker = new CircuitBreaker(clock);
  expect(breaker.pass()).toBe('usual');
  for (let failures = 0; failures < 4; failures += 1) {
    breaker.failed('refused');
    await clock.advance(30_000);
  }
  breaker.ended();
  expect(breaker.pass()).toBe('usual');
  breaker.failed('refused');
  await clock.advance(999);
  expect(breaker.pass()).toBe('none');
  await clock.advance(1);
  expect(breaker.pass()).toBe('probe');
});
