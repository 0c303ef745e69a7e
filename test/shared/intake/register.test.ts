import { beforeEach, describe, expect, test } from 'vitest';
import { intake } from '../../../functions/intake.ts';
import { sweep } from '../../../functions/sweep.ts';
import { Pace } from '../../../shared/async/pace.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { beside, ourHook } from '../../builders/beside.ts';
import { aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aWorld, machinePath, type World } from '../../builders/world.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

function living(annotations: Record<string, string> = {}): KubeObject {
  const { metadata, ...rest } = aRawMachine({ annotations });
  const { deletionTimestamp: _, ...alive } = metadata;
  return { ...rest, metadata: alive };
}

let world: World;
function given(machine: KubeObject): void {
  world = aWorld(machine);
  world.env.dialects = [beside()];
}
beforeEach(() => given(living()));

const onIt = () => world.management.at(machinePath)?.metadata.annotations;
const written = () => world.log.filter((line) => line.includes('patch'));

describe('a living Machine', () => {
  test('gets our hook by its first event, in one write that tests its version and its UID', async () => {
    await intake(world.env, world.management.at(machinePath)!);
    expect(onIt()).toEqual({ [ourHook]: 'phaseout.dev', 'phaseout.dev/registered': '1' });
    expect(world.management.patches).toMatchObject([
      { path: machinePath, patch: { metadata: { uid: 'uid-1', resourceVersion: expect.any(String) } } },
    ]);
  });

  test('gets it by the sweep where its event was lost, and no other write', async () => {
    await sweep(world.env, 'all');
    await sweep(world.env, 'all');
    expect(onIt()).toHaveProperty([ourHook], 'phaseout.dev');
    expect(written()).toEqual([`patch ${machinePath}`]);
  });

  test('does not get it where its deletion begins meanwhile', async () => {
    const seen = world.management.at(machinePath)!;
    world.management.change(machinePath, { metadata: { deletionTimestamp: timeAfter(0) } });
    await intake(world.env, seen);
    expect(onIt()).toEqual({});
  });

  test('does not get it a third time, and that is said once', async () => {
    given(living({ 'phaseout.dev/registered': '2' }));
    await intake(world.env, world.management.at(machinePath)!);
    await sweep(world.env, 'all');
    expect(written()).toEqual([]);
    const events = world.log.filter((line) => line.startsWith('create events'));
    expect(events).toHaveLength(1);
    expect(world.said).toContain('Machine could not be kept in step');
  });

  test('keeps its finalizers as they are', async () => {
    const machine = living();
    machine.metadata.finalizers = ['example.com/other'];
    given(machine);
    await sweep(world.env, 'all');
    expect(world.management.at(machinePath)?.metadata.finalizers).toEqual(['example.com/other']);
  });
});

describe('the hooks of a fleet that has none', () => {
  const fleet = Array.from({ length: 5 }, (_, index) => `fleet-${index}`);

  function aFleet() {
    const clock = manualClock();
    const age = clock.stopwatch();
    const puts: number[] = [];
    world.management.drop(machinePath);
    // Control plane Machines get no hook.
    for (const name of fleet) {
      world.management.put('machines', { ...living(), metadata: { ...living().metadata, name, uid: name } });
      world.management.on(`patch machines/default/${name}`, () => void puts.push(age()));
    }
    world.env.registrations = new Pace(clock, 20);
    return { clock, puts };
  }

  test('come one after the other, 20 in a second', async () => {
    const { clock, puts } = aFleet();
    const swept = sweep(world.env, 'all');
    await clock.advance(10_000);
    await swept;
    expect(puts).toEqual([0, 50, 100, 150, 200]);
  });

  test('come no faster by events than by the sweep', async () => {
    const { clock, puts } = aFleet();
    const heard = fleet.map((name) => intake(world.env, world.management.at(`machines/default/${name}`)!));
    await clock.advance(10_000);
    await Promise.all(heard);
    expect(puts).toEqual([0, 50, 100, 150, 200]);
  });
});

test('a deleting Machine never gets our hook, from an event or from a sweep', async () => {
  given(aRawMachine());
  await intake(world.env, world.management.at(machinePath)!);
  expect(await sweep(world.env, 'all')).toEqual([]);
  expect(onIt()).toEqual({});
});

test('a deleting Machine with our hook is asked for by the sweep', async () => {
  given(aRawMachine({ annotations: { [ourHook]: 'phaseout.dev' } }));
  expect(await sweep(world.env, 'all')).toMatchObject([{ phase: 'drain', seq: 0 }]);
});
