import { expect, test } from 'vitest';
import { RequestTimedOut } from '../../../shared/http/failures.ts';
import { inTime } from '../../../shared/http/middleware.ts';
import { clockOf } from '../../builders/clock.ts';

const never = (): Promise<never> => new Promise(() => undefined);

test('a request is worked on for as long as it has left by the clock of the instance', async () => {
  const timers: { milliseconds: number; run: () => void }[] = [];
  const clock = {
    ...clockOf(() => 0),
    after(milliseconds: number, run: () => void) {
      timers.push({ milliseconds, run });
      return () => undefined;
    },
  };
  const done = inTime({ clock, getRemainingTimeInMillis: () => 10_000 }, never);
  expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([10_000]);
  timers[0]?.run();
  await expect(done).rejects.toThrow(RequestTimedOut);
});
