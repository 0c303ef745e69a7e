import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { runPhase } from '../../../shared/runtime/run-phase.ts';
import { aNode } from '../../builders/subject.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../dialects/capi/machines.ts';

interface Given {
  standsStillSeconds: number;
  checkpoint?: Checkpoint;
  times?: object;
}

/** Half a minute to drain. The instance stands still in its first look, with the Node already read. Ten seconds after. */
function aDrain({ standsStillSeconds, checkpoint, times = {} }: Given): World {
  const annotations = checkpoint === undefined ? {} : atCheckpoint(checkpoint);
  const machine = aRawMachine({
    metadata: { annotations },
    spec: { deletion: { nodeDrainTimeoutSeconds: 30 } },
    status: { deletion: times },
  });
  const world = aWorld(machine);
  world.workload.put('nodes', { ...aNode(), spec: {} });
  world.management.on('get servers/default/m-1', () => void (world.time.now += standsStillSeconds * 1_000));
  return world;
}

const saves = ({ log }: World) => log.filter((line) => line === `patch ${machinePath}`).length;
const cordons = ({ log }: World) => log.filter((line) => line === 'patch nodes/node-1').length;

describe('a drain that nobody has tried yet', () => {
  test('is not over because an instance stood still in its first look: it begins then', async () => {
    const world = aDrain({ standsStillSeconds: 55 });
    await runPhase(world.env, drain, aCommand({ seq: 0 }));
    expect(world.log.slice(0, 2)).toEqual(['schedule', `patch ${machinePath}`]);
    expect(cordons(world)).toBe(1);
    const saved = savedCheckpoint(world);
    expect(saved).toMatchObject({ passed: { drain: { as: 'done', since: '2026-01-01T12:01:05.000Z' } } });
  });

  test('begins when that is written down, however long its first look took', async () => {
    const world = aDrain({ standsStillSeconds: 0 });
    world.workload.on('get nodes/node-1', () => void (world.time.now += 55_000));
    world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }));
    await runPhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:01:05.000Z' });
  });

  test('began when the status says so, however long its first look took', async () => {
    const world = aDrain({ standsStillSeconds: 0, times: { nodeDrainStartTime: timeAfter(9) } });
    world.workload.on('get nodes/node-1', () => void (world.time.now += 20_000));
    world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }));
    await runPhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: timeAfter(9) });
  });

  test('is done where nothing is left to do, however long that look took', async () => {
    const world = aWorld();
    world.workload.on('list pods', () => void (world.time.now += 55_000));
    await runPhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({
      passed: { drain: { as: 'done', since: expect.any(String) } },
    });
    expect(saves(world)).toBe(1);
  });

  test('is left to a later look when the Machine has changed meanwhile', async () => {
    const world = aDrain({ standsStillSeconds: 55 });
    world.management.on(`patch ${machinePath}`, () => {
      world.management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    });
    const { announcements } = await runPhase(world.env, drain, aCommand({ seq: 0 }));
    expect(announcements).toMatchObject([{ kind: 'blocked', reason: 'Paused' }]);
    expect(savedCheckpoint(world)).toBeUndefined();
    expect(cordons(world)).toBe(0);
  });

  test.each<[string, Given]>([
    [
      'its start stands in the checkpoint',
      { standsStillSeconds: 55, checkpoint: aCheckpoint({ since: timeAfter(9) }) },
    ],
    [
      'its start stands in the status',
      { standsStillSeconds: 55, times: { nodeDrainStartTime: timeAfter(9) } },
    ],
  ])('is over all the same when %s', async (_where, given) => {
    const world = aDrain(given);
    await runPhase(world.env, drain, aCommand({ seq: given.checkpoint?.seq ?? 0 }));
    expect(savedCheckpoint(world)).toMatchObject({
      passed: { drain: { as: 'timed-out', since: timeAfter(9) } },
    });
    expect(cordons(world)).toBe(0);
    expect(saves(world)).toBe(1);
  });

  test('has its whole time from there on', async () => {
    const world = aDrain({ standsStillSeconds: 55 });
    world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }), 2);
    await runPhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:01:05.000Z' });
    world.time.now = after(94);
    await runPhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    world.time.now = after(96);
    await runPhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });
});

test('what follows a phase that was passed at once begins when that is written down, however long the store took', async () => {
  const world = aWorld();
  const { store } = world.env;
  world.env.store = {
    ...store,
    async schedule(look) {
      await store.schedule(look);
      world.time.now += 55_000;
    },
  };
  await runPhase(world.env, drain, aCommand({ seq: 0 }));
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', since: '2026-01-01T12:01:05.000Z' });
});
