import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { World } from '../world.ts';
import type { Left } from './addresses.ts';

const request = { method: 'GET', path: '/version' };

function aWorld(): World {
  const parts = { workloads: ['blue'], instances: 0, config: {}, latencyMilliseconds: 0 };
  return new World({ ...parts, random: createRandom(1) });
}

test('a server that has not moved is reached by its own name', () => {
  const { addresses } = aWorld();
  expect([addresses.of('blue'), addresses.hostAt('blue')]).toEqual(['blue', 'blue']);
  expect(addresses.serverAt('blue')?.respond(request).status).toBe(200);
  expect(addresses.serverAt('nowhere')).toBeUndefined();
});

test.each<[Left, number | undefined]>([
  ['refused', undefined],
  ['unauthorized', 401],
])('a server that moves is reached where it is, and who comes to the old address is %s', (left, status) => {
  const { addresses } = aWorld();
  addresses.move('blue', left);
  addresses.move('blue', left);
  expect([addresses.of('blue'), addresses.hostAt('blue-2')]).toEqual(['blue-3', 'blue']);
  expect(addresses.serverAt('blue-3')?.respond(request).status).toBe(200);
  for (const old of ['blue', 'blue-2']) expect(addresses.serverAt(old)?.respond(request).status).toBe(status);
});
