import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../shared/clock.ts';

const dayMilliseconds = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([0, 1, 20, 25, 60])('what is to come after %i days comes then, and once', (days) => {
  let times = 0;
  systemClock.after(days * dayMilliseconds + 5, () => void (times += 1));
  vi.advanceTimersByTime(days * dayMilliseconds + 4);
  expect(times).toBe(0);
  vi.advanceTimersByTime(1);
  expect(times).toBe(1);
  vi.advanceTimersByTime(100 * dayMilliseconds);
  expect(times).toBe(1);
});

test.each([1, 30])('what was taken back after %i days does not come', (days) => {
  let times = 0;
  const takeBack = systemClock.after(60 * dayMilliseconds, () => void (times += 1));
  vi.advanceTimersByTime(days * dayMilliseconds);
  takeBack();
  vi.advanceTimersByTime(100 * dayMilliseconds);
  expect(times).toBe(0);
});
