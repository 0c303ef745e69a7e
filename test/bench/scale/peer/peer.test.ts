import { expect, test } from 'vitest';
import { ourHook } from '../../../simulation/scenario/beside.ts';
import { buildFleet, machinesResource, namespace, workerName } from '../fleet.ts';
import { asMeasured } from '../played.ts';
import type { Setting } from '../setting.ts';
import { ScaleWorld } from '../world.ts';
import { watched } from './resources.ts';

const setting: Setting = { ...asMeasured, scenario: 'fleet', machines: 1, pods: 0, mode: 'beside' };
const name = workerName(0);

/** One Machine that our hook holds, whose deletion has just begun. No function is there. */
async function held(pods: number) {
  const world = new ScaleWorld(setting);
  const { scheduler, management, peer } = world;
  const { cluster } = management;
  buildFleet(management.server, { ...setting, pods, isHeld: true });
  await scheduler.run(scheduler.now() + 3_000);
  if (peer === undefined) throw new Error('mode beside has a peer');
  peer.tally.isCounting = true;
  const machine = () => cluster.get(machinesResource, namespace, name);
  const patch = (annotations: object): void => {
    const found = machine();
    if (found !== undefined) cluster.patch(machinesResource, found, { metadata: { annotations } });
  };
  const found = machine();
  if (found !== undefined) cluster.remove(machinesResource, found);
  const run = (milliseconds: number): Promise<unknown> => scheduler.run(scheduler.now() + milliseconds);
  return { world, tally: peer.tally, machine, patch, run };
}

test('a Machine that our hook holds costs two requests, however often it changes', async () => {
  const { world, tally, patch, run } = await held(0);
  for (const note of ['one', 'two', 'three']) {
    await run(1_500);
    patch({ note });
  }
  await run(5_000);

  expect(tally.total).toBe(2);
  world.end();
});

test('it looks once a second: what comes between is seen by the next look', async () => {
  const { world, machine, patch, run } = await held(0);
  const begun = world.scheduler.now();
  const deleted: number[] = [];
  world.watch(watched.infrastructure, ({ type }) => {
    if (type === 'DELETED') deleted.push(world.scheduler.now() - begun);
  });
  await run(300);
  patch({ [ourHook]: null });
  await run(10_000);

  expect(machine()).toBeUndefined();
  expect(deleted).toHaveLength(1);
  expect(deleted[0]).toBeGreaterThanOrEqual(1_000);
  expect(deleted[0]).toBeLessThan(1_200);
  world.end();
});

test('what it would have to drain is a complaint', async () => {
  const { world, patch, run } = await held(2);
  await run(300);
  patch({ [ourHook]: null });
  await run(1_500);

  expect(world.complaints).toEqual([`${name} was handed over with 2 Pods, whose drain is not played`]);
  world.end();
});
