import { describe, expect, test } from 'vitest';
import { withinDeadline } from '../../../shared/async/timeout.ts';

/** A clock that is moved by hand. */
function aClock() {
  const timers = new Map<() => void, number>();
  const clock = {
    now: () => 0,
    after(milliseconds: number, run: () => void) {
      timers.set(run, milliseconds);
      return () => void timers.delete(run);
    },
  };
  const overAfter = (): number[] => [...timers.values()];
  const end = (): void => timers.forEach((_milliseconds, run) => run());
  return { clock, overAfter, end };
}

const late = (): Error => new Error('too late');
const never = (): Promise<never> => new Promise(() => undefined);
const failingOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });

describe('work within a deadline', () => {
  test('that is done in time gives what it gives, and leaves no timer', async () => {
    const { clock, overAfter } = aClock();
    const done = withinDeadline(clock, 10_000, () => Promise.resolve('answer'), late);
    expect(overAfter()).toEqual([10_000]);
    expect(await done).toBe('answer');
    expect(overAfter()).toEqual([]);
  });

  test('that fails fails as it does, and leaves no timer', async () => {
    const { clock, overAfter } = aClock();
    const done = withinDeadline(clock, 10_000, () => Promise.reject(new Error('broken')), late);
    await expect(done).rejects.toThrow('broken');
    expect(overAfter()).toEqual([]);
  });

  test('that takes longer is told why to stop, and given up', async () => {
    const { clock, end } = aClock();
    let signal: AbortSignal | undefined;
    const run = (given: AbortSignal): Promise<never> => {
      signal = given;
      return never();
    };
    const done = withinDeadline(clock, 10_000, run, late);
    expect(signal?.aborted).toBe(false);
    end();
    await expect(done).rejects.toThrow('too late');
    expect(signal?.reason).toEqual(new Error('too late'));
  });

  test('that fails when it is told to stop was late, however it puts it', async () => {
    const { clock, end } = aClock();
    const done = withinDeadline(clock, 10_000, failingOnAbort, late);
    end();
    await expect(done).rejects.toThrow('too late');
  });

  test('whose time was over before it began has no time', async () => {
    const { clock, overAfter, end } = aClock();
    const done = withinDeadline(clock, -5, never, late);
    expect(overAfter()).toEqual([0]);
    end();
    await expect(done).rejects.toThrow('too late');
  });
});
