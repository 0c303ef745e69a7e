import { expect, test } from 'vitest';
import { Refusals } from '../../../shared/cache/refusals.ts';
import { clockOf } from '../../builders/clock.ts';

function afterARefusal() {
  const time = { now: 0 };
  const refused = new Refusals(
    clockOf(() => time.now),
    60_000,
  );
  refused.remember('uid-1', '7');
  return { time, refused };
}

test('a Machine rests for its time, as long as it is as it was', () => {
  const { time, refused } = afterARefusal();
  time.now = 59_999;
  expect(refused.isAtRest('uid-1', '7')).toBe(true);
  expect(refused.isAtRest('uid-1', '8')).toBe(false);
  expect(refused.isAtRest('uid-2', '7')).toBe(false);
  time.now = 60_000;
  expect(refused.isAtRest('uid-1', '7')).toBe(false);
});

test('of a Machine that is gone nothing is kept', () => {
  const { refused } = afterARefusal();
  refused.forget('uid-1');
  expect(refused.isAtRest('uid-1', '7')).toBe(false);
});
