import { expect, test } from 'vitest';
import { WorkQueue } from '../../../../infra/local/controllers/machinery/work-queue.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';

/** Fails for as long as it is told to. The looks are in milliseconds since the start. */
function aQueue() {
  const clock = manualClock();
  const start = clock.now();
  const state = { fails: true };
  const looks: number[] = [];
  const queue = new WorkQueue({
    clock,
    reconcile() {
      looks.push(clock.now() - start);
      if (state.fails) throw new Error('no');
    },
    report: () => undefined,
  });
  return { clock, queue, state, looks };
}

test('a look that goes on failing is repeated every thirty seconds in the end', async () => {
  const { clock, queue, looks } = aQueue();
  queue.add('a');
  await clock.advance(180_000);
  const gaps = looks.map((at, index) => at - (looks[index - 1] ?? 0));
  expect(gaps.slice(-5)).toEqual([25_600, 30_000, 30_000, 30_000, 30_000]);
});

test('after one that has succeeded a failure is repeated soon again', async () => {
  const { clock, queue, state, looks } = aQueue();
  queue.add('a');
  await clock.advance(300);
  state.fails = false;
  await clock.advance(300);
  expect(looks).toEqual([0, 50, 150, 350]);
  state.fails = true;
  queue.add('a');
  await clock.advance(60);
  expect(looks.slice(4)).toEqual([600, 650]);
});

// A timer that is left keeps the process from ending.
test('once it has stopped nothing is waited for', () => {
  const { clock, queue } = aQueue();
  queue.add('a');
  queue.addAt('b', clock.now() + 3_600_000);
  queue.stop();
  expect(clock.timers()).toBe(0);
});
