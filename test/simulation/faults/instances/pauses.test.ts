import { expect, test } from 'vitest';
import { createRandom } from '../../random.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { World } from '../../world.ts';
import { smallWorld } from '../small-world.ts';
import { pausedInstance } from './pauses.ts';

const look: Omit<Exchange, 'instance'> = {
  host: 'management',
  method: 'GET',
  verb: 'get',
  resource: 'machines.cluster.x-k8s.io',
  namespace: 'fleet',
  name: 'm',
  path: '',
  query: {},
  body: undefined,
};

/** For how long an instance that looks again and again stood still, in milliseconds, and whether anybody is told. */
function stoodStill(isAskedToEnd: boolean): { milliseconds: number; isTold: boolean } {
  const random = createRandom(1);
  const world = new World({ workloads: ['blue'], instances: 0, config: {}, latencyMilliseconds: 1, random });
  const instance = world.startInstance();
  let isTold = false;
  world.observers.push({ hit: () => void (isTold = true) });
  pausedInstance.strike({ world, scenario: smallWorld(random), random, lasts: 1 });
  if (isAskedToEnd) world.retire(instance);
  for (let time = 0; time < 100; time += 1) world.meddlers.request({ ...look, instance: instance.name });
  const milliseconds = instance.strand.stoodStill;
  world.end();
  return { milliseconds, isTold };
}

test('an instance that has read something stands still', () => {
  const { milliseconds, isTold } = stoodStill(false);
  expect(isTold).toBe(true);
  expect(milliseconds).toBeGreaterThanOrEqual(1_000);
});

test('one that is asked to end is let alone, and nobody is told otherwise', () => {
  expect(stoodStill(true)).toEqual({ milliseconds: 0, isTold: false });
});
