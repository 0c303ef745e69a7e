import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pause, systemClock } from '../../../shared/time/clock.ts';

const dayMilliseconds = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // In this order: the spy is set on a fake timer. Its restore would keep that for all later tests.
  vi.restoreAllMocks();
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

test('what is to come keeps no process alive', () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  systemClock.after(5, () => undefined);
  expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
});

test('a pause is over when its clock says so', async () => {
  const waiting: { milliseconds: number; run: () => void }[] = [];
  const after = (milliseconds: number, run: () => void) => {
    waiting.push({ milliseconds, run });
    return () => undefined;
  };
  let isOver = false;
  const over = pause({ after }, 250).then(() => void (isOver = true));
  await Promise.resolve();
  expect({ isOver, asked: waiting.map(({ milliseconds }) => milliseconds) }).toEqual({
    isOver: false,
    asked: [250],
  });
  waiting[0]?.run();
  await over;
  expect(isOver).toBe(true);
});

describe('a stopwatch of the system', () => {
  test('tells the milliseconds since it was started', () => {
    const age = systemClock.stopwatch();
    expect(age()).toBe(0);
    vi.advanceTimersByTime(1_500);
    expect(age()).toBe(1_500);
  });

  test('does not go back with the clock', () => {
    const age = systemClock.stopwatch();
    vi.advanceTimersByTime(1_500);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(age()).toBe(1_500);
    vi.advanceTimersByTime(500);
    expect(age()).toBe(2_000);
  });

  test('goes on while the machine sleeps: its clock is right again when it wakes', () => {
    const age = systemClock.stopwatch();
    vi.setSystemTime(Date.now() + 60_000);
    expect(age()).toBe(60_000);
  });
});
