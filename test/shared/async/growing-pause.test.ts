import { expect, test } from 'vitest';
import { growingPause } from '../../../shared/async/growing-pause.ts';
import { clockOf } from '../../builders/clock.ts';

/** Milliseconds that each of so many pauses lasts. */
function pausesOf(count: number): number[] {
  const time = { now: 0 };
  const pause = growingPause(clockOf(() => time.now));
  return Array.from({ length: count }, () => {
    const startedAt = time.now;
    pause.start();
    while (!pause.isOver()) time.now += 500;
    return time.now - startedAt;
  });
}

test('the first pause lasts a second, each other twice as long, and none over half a minute', () => {
  expect(pausesOf(7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('no pause is on before the first failure, nor after an answer, and the next is short again', () => {
  const time = { now: 0 };
  const pause = growingPause(clockOf(() => time.now));
  expect(pause.isOver()).toBe(true);
  for (let failures = 0; failures < 4; failures += 1) pause.start();
  pause.reset();
  expect(pause.isOver()).toBe(true);
  pause.start();
  time.now += 999;
  expect(pause.isOver()).toBe(false);
  time.now += 1;
  expect(pause.isOver()).toBe(true);
});
