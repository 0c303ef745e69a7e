import { expect, test } from 'vitest';

import { createOutage } from '../../../../shared/adapters/workload-clusters/circuit-breaker.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

test('a cluster that answers is asked', () => {
  expect(createOutage(manualClock(), 10_000).reason()).toBeUndefined();
});

test('pauses double from 1 s to 30 s, and one tries out after each', async () => {
  const clock = manualClock();
  const outage = createOutage(clock, 10_000);
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    outage.failed('refused');
    expect(outage.reason()).toBe('refused');
    await clock.advance(seconds * 1_000 - 1);
    expect(outage.reason()).toBe('refused');
    await clock.advance(1);
    expect(outage.reason()).toBeUndefined();
    expect(outage.reason()).toBe('refused');
  }
});

test('a clock that is set back in its midst does not make a pause longer', async () => {
  const clock = manualClock();
  const outage = createOutage(clock, 10_000);
  outage.failed('refused');
  clock.setBack(3_600_000);
  await clock.advance(999);
  expect(outage.reason()).toBe('refused');
  await clock.advance(1);
  expect(outage.reason()).toBeUndefined();
});

test('failures of requests that were under way together count once', async () => {
  const clock = manualClock();
  const outage = createOutage(clock, 10_000);
  for (let n = 0; n < 50; n += 1) outage.failed('refused');
  await clock.advance(1_000);
  expect(outage.reason()).toBeUndefined();
});

test('an answer ends it, and the next outage begins with a short pause', async () => {
  const clock = manualClock();
  const outage = createOutage(clock, 10_000);
  outage.failed('refused');
  await clock.advance(1_000);
  outage.failed('refused');
  outage.ended();
  expect(outage.reason()).toBeUndefined();
  outage.failed('refused');
  await clock.advance(1_000);
  expect(outage.reason()).toBeUndefined();
});

test('if who tries out never says what came of it, the next one may', async () => {
  const clock = manualClock();
  const outage = createOutage(clock, 10_000);
  outage.failed('refused');
  await clock.advance(1_000);
  expect(outage.reason()).toBeUndefined();
  await clock.advance(9_999);
  expect(outage.reason()).toBe('refused');
  await clock.advance(1);
  expect(outage.reason()).toBeUndefined();
});

test('one outage has one text, and the next one its own', async () => {
  const clock = manualClock();
  const outage = createOutage(clock, 10_000);
  expect(outage.why()).toBeUndefined();
  outage.failed('refused');
  expect(outage.why()).toBe('refused');
  await clock.advance(1_000);
  expect(outage.why()).toBe('refused');
  expect(outage.reason()).toBeUndefined();
  expect(outage.why()).toBe('refused');
  outage.failed('no answer within 10 s');
  expect(outage.why()).toBe('refused');
  expect(outage.reason()).toBe('refused');
  outage.ended();
  expect(outage.why()).toBeUndefined();
  outage.failed('no answer within 10 s');
  expect(outage.reason()).toBe('no answer within 10 s');
});
