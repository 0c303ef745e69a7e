import { describe, expect, test } from 'vitest';
import { RequestTimedOut } from '../../../../shared/runtime/http/failures.ts';
import { inTime } from '../../../../shared/runtime/http/in-time.ts';

/** A request with ten seconds left, and a clock that is moved by hand. */
function aRequest(left = 10_000) {
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
  return { context: { clock, getRemainingTimeInMillis: () => left }, overAfter, end };
}

describe('work on a request', () => {
  test('that is done in time gives what it gives, and leaves no timer', async () => {
    const { context, overAfter } = aRequest();
    const done = inTime(context, () => Promise.resolve('answer'));
    expect(overAfter()).toEqual([10_000]);
    expect(await done).toBe('answer');
    expect(overAfter()).toEqual([]);
  });

  test('that fails fails as it does, and leaves no timer', async () => {
    const { context, overAfter } = aRequest();
    await expect(inTime(context, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(overAfter()).toEqual([]);
  });

  test('that takes longer is told to stop, and given up', async () => {
    const { context, end } = aRequest();
    let signal: AbortSignal | undefined;
    const done = inTime(context, (given) => {
      signal = given;
      return new Promise<never>(() => undefined);
    });
    expect(signal?.aborted).toBe(false);
    end();
    await expect(done).rejects.toThrow(RequestTimedOut);
    expect(signal?.aborted).toBe(true);
  });

  test('whose time was over before it began has no time', async () => {
    const { context, overAfter, end } = aRequest(-5);
    const done = inTime(context, () => new Promise<never>(() => undefined));
    expect(overAfter()).toEqual([0]);
    end();
    await expect(done).rejects.toThrow(RequestTimedOut);
  });
});
