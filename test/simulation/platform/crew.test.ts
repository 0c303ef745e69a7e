import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { World } from '../world.ts';
import { Crew } from './crew.ts';
import type { SimulatedInstance } from './instance.ts';

let world: World;
beforeEach(() => {
  const parts = { workloads: [], instances: 0, config: {}, latencyMilliseconds: 1 };
  world = new World({ ...parts, random: createRandom(1) });
});
afterEach(() => world.end());

const startOne = (): SimulatedInstance => world.startInstance();

/** Two are to be there. What is gone stands in `gone`. */
function crew(isKeptAway = () => false): { crew: Crew; gone: string[] } {
  const gone: string[] = [];
  const parts = { size: 2, begin: startOne, isKeptAway };
  return { crew: new Crew({ ...parts, gone: ({ name }) => gone.push(name) }), gone };
}

const names = (instances: readonly SimulatedInstance[]): string[] => instances.map(({ name }) => name);

test('requests are sent to all of them in turn, and those that are missing begin', () => {
  const { crew: made } = crew();
  const asked = [1, 2, 3].map(() => made.next()?.name);
  expect(asked).toEqual(['instance-2', 'instance-1', 'instance-2']);
});

test('those of a Service take what is for its functions, and one that is missing begins there', () => {
  const made = new Crew({
    size: 2,
    services: 2,
    begin: startOne,
    isKeptAway: () => false,
    gone: () => undefined,
  });
  const [first, second] = [made.start(), made.start()];
  const asked = (): (string | undefined)[] => [0, 0, 1, 1].map((service) => made.next(service)?.name);
  expect(asked()).toEqual(['instance-1', 'instance-1', 'instance-2', 'instance-2']);
  made.kill(first);
  expect(asked()).toEqual(['instance-3', 'instance-3', 'instance-2', 'instance-2']);
  made.retire(second);
  expect(made.next(1)?.name).toBe('instance-4');
});

test('in the place of one that died another one begins', () => {
  const { crew: made, gone } = crew();
  const [first] = [made.start(), made.start()];
  made.kill(first);
  made.kill(first);
  made.next();
  expect({ gone, there: names(made.serving()), isDead: first.strand.isDead }).toEqual({
    gone: ['instance-1'],
    there: ['instance-2', 'instance-3'],
    isDead: true,
  });
});

test('none begins while they are kept away', () => {
  const { crew: made } = crew(() => true);
  expect(made.next()).toBeUndefined();
  expect(made.all()).toEqual([]);
});

test('nothing more is sent to one that is asked to end, and it is there until it has ended', async () => {
  const { crew: made, gone } = crew();
  const [first] = [made.start(), made.start()];
  made.retire(first);
  expect(names(made.serving())).toEqual(['instance-2']);
  expect(names(made.all())).toEqual(['instance-1', 'instance-2']);
  await world.scheduler.run(world.now() + 60_000);
  expect({ gone, there: names(made.all()) }).toEqual({ gone: ['instance-1'], there: ['instance-2'] });
});

test('all are gone in the end', () => {
  const { crew: made, gone } = crew();
  made.start();
  made.retire(made.start());
  made.end();
  expect({ gone, there: made.all() }).toEqual({ gone: ['instance-1', 'instance-2'], there: [] });
});
