import { describe, expect, test } from 'vitest';
import { intake } from '../../functions/intake.ts';
import { rememberServed } from '../../shared/cache/provisioned.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { aWorld, machinePath, type World } from '../builders/world.ts';
import { aRawMachine } from '../shared/dialects/capi/machines.ts';

/** The Machine as the API server has it, in another version. */
function inVersion({ management }: World, resourceVersion: string): KubeObject {
  const stored = management.at(machinePath);
  if (stored === undefined) throw new Error('the world has no Machine');
  return { ...stored, metadata: { ...stored.metadata, resourceVersion } };
}

async function heard(prepare: (world: World) => void, resourceVersion = '100') {
  const world = aWorld();
  prepare(world);
  const { next } = await intake(world.env, inVersion(world, resourceVersion));
  return { world, advance: next };
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
    all.env.cache.rememberMachine(inVersion(all, seen));
  }, version);
  expect(advance !== undefined).toBe(isTakenIn);
});

test('what is known of a Machine says nothing of another one of its name', async () => {
  const world = aWorld();
  const known = inVersion(world, '100');
  world.env.cache.rememberMachine(known);
  await intake(world.env, known);
  const metadata = { ...known.metadata, uid: 'uid-2', namespace: 'elsewhere', resourceVersion: '99' };
  const { next: advance } = await intake(world.env, { ...known, metadata });
  expect(advance).toMatchObject({ machine: { namespace: 'elsewhere', uid: 'uid-2' } });
});

test('a Machine that is known to be gone is not taken in again by an event from before', async () => {
  const { advance, world } = await heard((all) => all.env.cache.rememberGone('uid-1'));
  expect(advance).toBeUndefined();
  expect(world.log).toEqual([]);
});

const served = (world: World) => rememberServed(world.env.cache, inVersion(world, '99'), true);

describe('a Machine that its provider has served as it asks for', () => {
  test('is not taken in while it lives, whatever was written of it', async () => {
    const { world } = await heard((all) => {
      const machine = aRawMachine({ metadata: { finalizers: [] } });
      delete machine.metadata.deletionTimestamp;
      all.management.put('machines', machine);
      served(all);
    });
    expect(world.log).toEqual([]);
  });

  test('is taken in where it asks for something else', async () => {
    const { world } = await heard((all) => {
      const machine = aRawMachine();
      delete machine.metadata.deletionTimestamp;
      all.management.put('machines', machine);
      served(all);
      all.management.change(machinePath, { metadata: { finalizers: [] } });
    });
    expect(world.management.at(machinePath)?.metadata.finalizers).toEqual(['machine.cluster.x-k8s.io']);
  });

  test('is taken in when it is being deleted', async () => {
    const { advance } = await heard(served);
    expect(advance).toMatchObject({ machine: { name: 'm-1' } });
  });
});
