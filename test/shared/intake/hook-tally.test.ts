import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { observed } from '../../../shared/dialects/registry.ts';
import { type Asked, hooksAnnotation, serializeAsked } from '../../../shared/hooks/asked.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { ownObjectsIn } from '../../../shared/read/own-objects.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { aDeletionHook, anAsked } from '../../builders/asked.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { anOriginalWorld } from '../../builders/v1alpha1-world.ts';
import { atCheckpoint, aWorld, type World } from '../../builders/world.ts';

const path = 'deletionhooks/default/move-data';

/** Waits before its drain for these functions. */
function waiting(hooks: readonly Asked[]): KubeObject {
  const annotations = {
    ...atCheckpoint(aCheckpoint({ seq: 1, phase: 'pre-drain' })),
    [hooksAnnotation]: serializeAsked('uid-1', hooks),
  };
  return aRawMachine({ metadata: { annotations } });
}

/** A world with this DeletionHook, in whose namespace there is one worker. */
function aWorldWith(machine: KubeObject = aRawMachine(), hook: KubeObject = aDeletionHook()): World {
  const world = aWorld(machine);
  world.management.put('deletionhooks', hook);
  return world;
}

const hooks: Environment['hooks'] = { key: async () => 'a key', send: async () => undefined };

const sweepAll = ({ env }: World, more: Partial<Environment> = {}) =>
  sweep({ ...env, hooks, ...more }, 'all');

const noAnswer = () => Promise.reject(new Unavailable('no answer'));

const statusIn = ({ management }: World) => management.at(path)?.['status'];
const writesIn = ({ log }: World): string[] => log.filter((call) => call.includes('deletionhooks'));

describe('a sweep of everything writes on a DeletionHook', () => {
  test('how many Machines it selects, and how many of them wait', async () => {
    const world = aWorldWith(waiting([anAsked({ begin: timeAfter(-60) })]));
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({ machines: 1, waiting: 1, heldUp: 0 });
  });

  test('how many are held up', async () => {
    const silent = anAsked({ begin: timeAfter(-600), silentSince: timeAfter(-60) });
    const world = aWorldWith(waiting([silent]));
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({ waiting: 1, heldUp: 1 });
  });

  test('Machines of the control plane only where it wants them', async () => {
    const world = aWorldWith(aRawMachine(), aDeletionHook('move-data', { controlPlanes: true }));
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({ machines: 4 });
  });

  test('that nothing is asked for Machines of v1alpha1', async () => {
    const world = anOriginalWorld();
    world.management.put('deletionhooks', aDeletionHook());
    const discover = world.management.discover.bind(world.management);
    world.management.discover = async (group, kind) =>
      kind === 'DeletionHook'
        ? { group, version: 'v1alpha1', plural: 'deletionhooks' }
        : discover(group, kind);
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({
      machines: 1,
      conditions: [{ status: 'False', message: 'nothing is asked: Machines of v1alpha1 have no hooks' }],
    });
  });

  test('once: a second sweep finds it as it should be', async () => {
    const world = aWorldWith();
    await sweepAll(world);
    world.time.now += 180_000;
    world.time.passed += 180_000;
    await sweepAll(world);
    expect(writesIn(world)).toEqual([`patch ${path}/status`]);
  });

  test('no more than once in 30 s, and what is new then later', async () => {
    const world = aWorldWith();
    await sweepAll(world);
    await sweepAll(world, { hooks: { ...hooks, key: async () => undefined } });
    expect(writesIn(world)).toHaveLength(1);
    world.time.now += 31_000;
    world.time.passed += 31_000;
    await sweepAll(world, { hooks: { ...hooks, key: async () => undefined } });
    expect(statusIn(world)).toMatchObject({ conditions: [{ reason: 'NoKey' }] });
  });

  test('nothing where somebody has changed it meanwhile', async () => {
    const world = aWorldWith();
    world.management.on('list machines', () => world.management.change(path, { spec: { order: 5 } }));
    await sweepAll(world);
    expect(statusIn(world)).toBeUndefined();
  });
});

describe('a sweep writes nothing', () => {
  test('and lists nothing where there is no such kind', async () => {
    const world = aWorld();
    await sweepAll(world);
    expect(world.management.reads.filter((read) => read.includes('deletionhooks'))).toEqual([]);
  });

  test('where the API only is watched', async () => {
    const world = aWorldWith();
    await sweepAll(world, { dialects: [observed(clusterApi)] });
    expect(writesIn(world)).toEqual([]);
  });

  test('where whether there is a key cannot be read', async () => {
    const world = aWorldWith();
    await sweepAll(world, { hooks: { ...hooks, key: noAnswer } });
    expect(writesIn(world)).toEqual([]);
  });

  test('where DeletionHooks cannot be listed, and goes on', async () => {
    const world = aWorldWith();
    world.management.on('list deletionhooks', () => {
      throw new Unavailable('forbidden');
    });
    expect(await sweepAll(world)).toHaveLength(1);
    expect(world.said).toContain('DeletionHooks could not be listed');
  });

  test('that the API server refuses without saying so', async () => {
    const world = aWorldWith();
    world.management.on(`patch ${path}/status`, () => ({ kind: 'refused', message: 'forbidden', code: 403 }));
    await sweepAll(world);
    expect(world.said).toContain('Status of a DeletionHook or DrainPolicy could not be written');
  });
});

test('looks that follow take the DeletionHooks of the sweep', async () => {
  const world = aWorldWith();
  await sweepAll(world);
  const found = await ownObjectsIn({ kind: 'DeletionHook', namespace: 'default' }, world.env, 30_000);
  const lists = world.management.reads.filter((read) => read === 'list deletionhooks');
  expect([found?.map(({ metadata: { name } }) => name), lists.length]).toEqual([['move-data'], 1]);
});
