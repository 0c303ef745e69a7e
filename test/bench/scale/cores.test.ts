import { expect, test } from 'vitest';
import { createRandom } from '../../simulation/random.ts';
import { Scheduler } from '../../simulation/scheduler.ts';
import { Cores } from './cores.ts';

function computer(cores: number, slowness?: number) {
  const scheduler = new Scheduler(0, createRandom(1));
  const made = new Cores(scheduler, cores, slowness);
  const ends: [string, number][] = [];
  const run = (worker: ReturnType<Cores['worker']>, milliseconds: number, name = worker.name): void =>
    void made.run(worker, milliseconds).then(() => ends.push([name, scheduler.now()]));
  return { scheduler, cores: made, run, ends };
}

test('a thread does one piece of work after the other', async () => {
  const { scheduler, cores, run, ends } = computer(2);
  const thread = cores.worker('thread');
  for (const name of ['first', 'second', 'third']) run(thread, 10, name);
  await scheduler.run(100);

  expect(ends).toEqual([
    ['first', 10],
    ['second', 20],
    ['third', 30],
  ]);
  expect(thread.used).toBe(30);
});

test('a process of several threads uses all cores', async () => {
  const { scheduler, cores, run, ends } = computer(2);
  const server = cores.worker('server', 2);
  for (const milliseconds of [10, 20, 30]) run(server, milliseconds, `${milliseconds} ms`);
  await scheduler.run(100);

  expect(ends).toEqual([
    ['10 ms', 10],
    ['20 ms', 20],
    ['30 ms', 40],
  ]);
});

test('who had less is next', async () => {
  const { scheduler, cores, run, ends } = computer(1);
  const [greedy, modest] = [cores.worker('greedy'), cores.worker('modest')];
  run(greedy, 10);
  run(greedy, 10);
  run(modest, 1);
  await scheduler.run(100);

  expect(ends).toEqual([
    ['greedy', 10],
    ['modest', 11],
    ['greedy', 21],
  ]);
});

test('fractions of a millisecond add up', async () => {
  const { scheduler, cores, run, ends } = computer(1);
  const thread = cores.worker('thread');
  for (let index = 0; index < 4; index += 1) run(thread, 0.5);
  await scheduler.run(100);

  expect(ends.map(([, at]) => at)).toEqual([1, 1, 2, 2]);
});

test('on a slow computer all takes longer', async () => {
  const { scheduler, cores, run, ends } = computer(1, 1.5);
  run(cores.worker('thread'), 10);
  await scheduler.run(100);

  expect(ends).toEqual([['thread', 15]]);
});
