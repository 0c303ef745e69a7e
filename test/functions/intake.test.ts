import { describe, expect, test } from 'vitest';
import { intake } from '../../functions/intake.ts';
import { rememberServed } from '../../shared/cache/provisioned.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { aRawMachine } from '../builders/cluster-api.ts';
import { aCommand, aWorld, machinePath, type World } from '../builders/world.ts';

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

describe('an event of a Machine that is being deleted', () => {
  const { machine } = aCommand();
  const claimedBy = (world: World, by: string) =>
    world.env.store.claim({ machine, by, at: world.time.now, until: world.time.now + 30_000 });
  const release = (world: World, by: string) =>
    world.env.store.release({
      machine,
      by,
      look: { machine, at: world.time.now + 60_000, failures: 0 },
      ours: ['100'],
    });

  test('while another instance takes a step of it is left to that one, which hears of it', async () => {
    const world = aWorld();
    await claimedBy(world, 'another');
    expect(await intake(world.env, inVersion(world, '100'))).toEqual({ facts: [] });
    expect(await release(world, 'another')).toEqual({ kind: 'released', news: ['100'] });
    expect(world.management.reads).toEqual([]);
  });

  test('that such a step has written is no news', async () => {
    const world = aWorld();
    await claimedBy(world, 'another');
    await release(world, 'another');
    expect(await intake(world.env, inVersion(world, '100'))).toEqual({ facts: [] });
    expect(await intake(world.env, inVersion(world, '101'))).toMatchObject({
      next: { resourceVersion: '101' },
    });
  });

  test('is taken in once the claim is over, whatever became of its step', async () => {
    const world = aWorld();
    await claimedBy(world, 'another');
    world.time.now += 30_000;
    expect(await intake(world.env, inVersion(world, '100'))).toMatchObject({ next: { phase: 'drain' } });
  });

  test('whose version is longer than any API server has them is told of without it', async () => {
    const world = aWorld();
    await claimedBy(world, 'another');
    await intake(world.env, inVersion(world, '1'.repeat(1_000)));
    expect(await release(world, 'another')).toEqual({ kind: 'released', news: ['-'] });
  });

  test('is not asked about where it needs no step', async () => {
    const world = aWorld();
    world.env.store.hear = () => Promise.reject(new Error('asked'));
    const event = inVersion(world, '100');
    const metadata = { ...event.metadata, finalizers: [] };
    expect(await intake(world.env, { ...event, metadata })).toEqual({ facts: [] });
  });
});
