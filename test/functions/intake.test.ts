import { expect, test } from 'vitest';
import { intake } from '../../functions/intake.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { aWorld, machinePath, type World } from '../builders/world.ts';

/** The Machine as the API server has it, in another version. */
function inVersion({ management }: World, resourceVersion: string): KubeObject {
  const stored = management.at(machinePath);
  if (stored === undefined) throw new Error('the world has no Machine');
  return { ...stored, metadata: { ...stored.metadata, resourceVersion } };
}

async function heard(prepare: (world: World) => void, resourceVersion = '100') {
  const world = aWorld();
  prepare(world);
  return { world, advance: await intake(world.env, inVersion(world, resourceVersion)) };
}

test('a Machine that nobody here has seen is taken in', async () => {
  const { advance } = await heard(() => undefined);
  expect(advance).toMatchObject({ machine: { name: 'm-1' } });
});

test.each<[string, seen: string, heard: string, isTakenIn: boolean]>([
  ['of an older version than is known', '100', '99', false],
  ['of the version that is known', '100', '100', false],
  ['of a newer one', '100', '101', true],
  ['whose version is longer, and so newer', '99', '100', true],
])('an event %s', async (_, seen, version, isTakenIn) => {
  const { advance } = await heard((all) => {
    all.env.memory.rememberMachine(inVersion(all, seen));
  }, version);
  expect(advance !== undefined).toBe(isTakenIn);
});

test('a Machine that is known to be gone is not taken in again by an event from before', async () => {
  const { advance, world } = await heard((all) => all.env.memory.rememberGone('uid-1'));
  expect(advance).toBeUndefined();
  expect(world.log).toEqual([]);
});
