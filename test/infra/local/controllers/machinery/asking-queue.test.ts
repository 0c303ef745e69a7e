import { expect, it } from 'vitest';
import { askingQueue } from '../../../../../infra/local/controllers/machinery/asking-queue.ts';
import { defaultSettings } from '../../../../../infra/local/controllers/machinery/settings.ts';
import { World } from '../../../../../infra/local/controllers/machinery/world.ts';
import { createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

/** A queue whose looks take a second each, with what happened and when. */
function aQueue(fails: (look: number) => boolean = () => false) {
  const clock = new VirtualClock(0);
  const told: string[] = [];
  const at = () => `${clock.now() / 1000} s`;
  const report = (error: unknown, about: string) => told.push(`${at()} ${about}: ${String(error)}`);
  const world = new World(createApiServer({ clock }).cluster, clock, defaultSettings, report);
  let looks = 0;
  const queue = askingQueue(world, 'asking', async (key) => {
    looks += 1;
    const look = looks;
    told.push(`${at()} looks at ${key}`);
    await new Promise<void>((resolve) => void clock.after(1000, resolve));
    if (fails(look)) throw new Error(`failure ${look}`);
  });
  return { clock, told, queue, stop: () => world.stop() };
}

it('looks again at what was added while it was being looked at, once', async () => {
  const { clock, told, queue } = aQueue();
  queue.add('a');
  await clock.advance(500);
  queue.add('a');
  queue.add('a');
  await clock.advance(10_000);
  expect(told).toEqual(['0 s looks at a', '1 s looks at a']);
});

it('looks at several at the same time', async () => {
  const { clock, told, queue } = aQueue();
  queue.add('a');
  queue.add('b');
  await clock.advance(10_000);
  expect(told).toEqual(['0 s looks at a', '0 s looks at b']);
});

it('reports the first failure in a row, and tries again later and later', async () => {
  const { clock, told, queue } = aQueue((look) => look < 4);
  queue.add('a');
  await clock.advance(30_000);
  expect(told).toEqual([
    '0 s looks at a',
    '1 s asking a: Error: failure 1',
    '1.05 s looks at a',
    '3.05 s looks at a',
    '6.05 s looks at a',
  ]);
});

it('reports a failure that comes after a success', async () => {
  const { clock, told, queue } = aQueue((look) => look !== 2 && look !== 4);
  queue.add('a');
  await clock.advance(10_000);
  queue.add('a');
  await clock.advance(10_000);
  expect(told.filter((line) => line.includes('Error'))).toEqual([
    '1 s asking a: Error: failure 1',
    '11 s asking a: Error: failure 3',
  ]);
});

it('looks at nothing any more once it is stopped', async () => {
  const { clock, told, queue, stop } = aQueue(() => true);
  queue.add('a');
  await clock.advance(500);
  stop();
  await clock.advance(60_000);
  expect(told).toEqual(['0 s looks at a']);
});
