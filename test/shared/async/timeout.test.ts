import { describe, expect, test } from 'vitest';
import { timeBox } from '../../../shared/async/timeout.ts';

/** A clock whose only timer is ended by hand. */
function aClock() {
  const timers: { milliseconds: number; run: () => void }[] = [];
  let passed = 0;
  return {
    timers,
    stopwatch: () => () => passed,
    standStill(milliseconds: number) {
      passed += milliseconds;
    },
    after(milliseconds: number, run: () => void) {
      timers.push({ milliseconds, run });
      return () => void timers.pop();
    },
  };
}

describe('a time box', () => {
  test('aborts its signal when its time is over, and not before', () => {
    const clock = aClock();
    const { signal } = timeBox(clock, 5_000);
    expect(clock.timers.map(({ milliseconds }) => milliseconds)).toEqual([5_000]);
    expect(signal.aborted).toBe(false);
    clock.timers[0]?.run();
    expect(signal.aborted).toBe(true);
  });

  test('is over once its time has passed, though its timer comes late', () => {
    const clock = aClock();
    const { signal, isOver } = timeBox(clock, 5_000);
    clock.standStill(4_999);
    expect(isOver()).toBe(false);
    clock.standStill(1);
    expect(isOver()).toBe(true);
    expect(signal.aborted).toBe(false);
  });

  test('is over once its signal is aborted, by whatever clock', () => {
    const clock = aClock();
    const { isOver } = timeBox(clock, 5_000);
    clock.timers[0]?.run();
    expect(isOver()).toBe(true);
  });

  test('leaves no timer once it is cancelled', () => {
    const clock = aClock();
    const { signal, cancel } = timeBox(clock, 5_000);
    cancel();
    expect(clock.timers).toEqual([]);
    expect(signal.aborted).toBe(false);
  });
});
