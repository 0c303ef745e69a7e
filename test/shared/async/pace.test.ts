import { expect, test } from 'vitest';
import { Pace } from '../../../shared/async/pace.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

test('callers go on one after the other, with the same time between them, and at once after a pause', async () => {
  const clock = manualClock();
  const pace = new Pace(clock, 20);
  const at: number[] = [];
  const age = clock.stopwatch();
  const go = async (): Promise<void> => {
    await pace.turn();
    at.push(age());
  };
  const all = Promise.all([go(), go(), go()]);
  for (let step = 0; step < 4; step += 1) await clock.advance(50);
  await all;
  await go();
  expect(at).toEqual([0, 50, 100, 200]);
});

test('a clock that was ahead, and is right again, keeps no caller waiting', async () => {
  const clock = manualClock();
  let ahead = 0;
  const pace = new Pace({ ...clock, stopwatch: () => () => ahead }, 20);
  ahead = 600_000;
  await pace.turn();
  ahead = 0;
  const turn = pace.turn();
  await clock.advance(50);
  await expect(turn).resolves.toBeUndefined();
});
