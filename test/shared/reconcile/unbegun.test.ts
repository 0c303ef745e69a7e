import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aNode } from '../../builders/subject.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';
import { aCheckpoint, aCluster, after, aRawMachine, timeAfter } from '../dialects/capi/machines.ts';
import { pod } from '../drain/build.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';

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
  if (standsStillSeconds > 0)
    world.management.on('get servers/default/m-1', () => void (world.time.now += standsStillSeconds * 1_000));
  return world;
}

const saves = ({ log }: World) => log.filter((line) => line === `patch ${machinePath}`).length;
const cordons = ({ log }: World) => log.filter((line) => line === 'patch nodes/node-1').length;
const evictions = ({ log }: World) => log.filter((line) => line.startsWith('evict'));

describe('a drain that nobody has tried yet', () => {
  test('is not over because an instance stood still in its first look: it begins then', async () => {
    const world = aDrain({ standsStillSeconds: 55 });
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(world.log.slice(0, 2)).toEqual(['schedule', `patch ${machinePath}`]);
    expect(cordons(world)).toBe(1);
    const saved = savedCheckpoint(world);
    expect(saved).toMatchObject({ passed: { drain: { as: 'done', since: '2026-01-01T12:01:05.000Z' } } });
  });

  test('begins when that is written down, however long its first look took', async () => {
    const world = aDrain({ standsStillSeconds: 0 });
    world.workload.on('get nodes/node-1', () => void (world.time.now += 55_000));
    world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }));
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:01:05.000Z' });
  });

  test('began when the status says so, however long its first look took', async () => {
    const world = aDrain({ standsStillSeconds: 0, times: { nodeDrainStartTime: timeAfter(9) } });
    world.workload.on('get nodes/node-1', () => void (world.time.now += 20_000));
    world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }));
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: timeAfter(9) });
  });

  test('is done where nothing is left to do, however long that look took', async () => {
    const world = aWorld();
    world.workload.on('list pods', () => void (world.time.now += 55_000));
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
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
    const { announcements } = await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(announcements).toMatchObject([{ kind: 'blocked', reason: 'Paused' }]);
    expect(savedCheckpoint(world)).toBeUndefined();
    expect(cordons(world)).toBe(0);
  });

  test('is over all the same when its start stands in the status', async () => {
    const world = aDrain({ standsStillSeconds: 0, times: { nodeDrainStartTime: timeAfter(9) } });
    world.time.now = after(40);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({
      passed: { drain: { as: 'timed-out', since: timeAfter(9) } },
    });
    expect(cordons(world)).toBe(0);
    expect(saves(world)).toBe(1);
  });

  test('has its whole time from there on', async () => {
    const world = aDrain({ standsStillSeconds: 55 });
    world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }), 2);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:01:05.000Z' });
    world.time.now = after(94);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    world.time.now = after(96);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });
});

const hook = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/late': '' };

/** The drain was handed on a second after the deletion began. */
const handedOn = (standsStillSeconds = 0): World =>
  aDrain({ standsStillSeconds, checkpoint: aCheckpoint({ since: timeAfter(1) }) });

const annotate = (world: World, annotations: Record<string, string | null>): void =>
  world.management.change(machinePath, { metadata: { annotations } });

const refuseCordons = (world: World): void =>
  world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }), 9);

/** Somebody has written that it begins, a minute ago, and nothing tells of a try. */
function begun(): World {
  const at = aCheckpoint({ since: timeAfter(1), reached: timeAfter(1) });
  const world = aDrain({ standsStillSeconds: 0, checkpoint: at });
  world.time.now = after(60);
  return world;
}

describe('a drain that was handed on and that nobody came to', () => {
  test('has its whole time once the hook is gone that came before', async () => {
    const world = handedOn();
    refuseCordons(world);
    annotate(world, hook);
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toEqual(aCheckpoint({ since: timeAfter(1) }));
    world.time.now = after(3_600);
    annotate(world, { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/late': null });
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T13:00:00.000Z' });
    world.time.now = after(3_629.999);
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    world.time.now = after(3_630);
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });

  test('begins once, also where no status can tell that it was tried', async () => {
    const world = handedOn();
    refuseCordons(world);
    const refused = { kind: 'refused', code: 403, message: 'no' } as const;
    world.management.on(`patch ${machinePath}/status`, () => refused, 9);
    world.time.now = after(60);
    await reconcilePhase(world.env, drain, aCommand());
    world.time.now = after(75);
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:01:00.000Z' });
    world.time.now = after(90);
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({
      passed: { drain: { as: 'timed-out', since: '2026-01-01T12:01:00.000Z' } },
    });
  });

  test('is not over because whoever wrote that it begins got no further, or is slow', async () => {
    const world = begun();
    refuseCordons(world);
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:01:00.000Z' });
  });

  test('begins once for a clock that was ahead and is set right in that step', async () => {
    const world = begun();
    world.time.now = after(3_600);
    refuseCordons(world);
    world.management.on('get clusters/default/c', () => {
      world.time.now = after(60);
      world.time.passed += 3_540_000;
    });
    await reconcilePhase(world.env, drain, aCommand());
    expect(saves(world)).toBe(1);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:01:00.000Z' });
  });

  test('is over where that one has tried it and no status could be written, and not by a hook that held it', async () => {
    const world = begun();
    refuseCordons(world);
    const refused = { kind: 'refused', code: 403, message: 'no' } as const;
    world.management.on(`patch ${machinePath}/status`, () => refused, 9);
    annotate(world, hook);
    await reconcilePhase(world.env, drain, aCommand());
    annotate(world, { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/late': null });
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:01:00.000Z' });
    world.time.now = after(90);
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });

  test('is not over because an instance stood still right before its first try', async () => {
    const world = handedOn(55);
    world.time.now = after(2);
    await reconcilePhase(world.env, drain, aCommand());
    expect(cordons(world)).toBe(1);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'done' } } });
  });

  test('is not over because an instance stood still when it had written that it begins', async () => {
    const world = handedOn();
    world.time.now = after(60);
    world.management.on(`patch ${machinePath}`, () => void (world.time.now += 55_000));
    await reconcilePhase(world.env, drain, aCommand());
    expect(cordons(world)).toBe(1);
    expect(savedCheckpoint(world)).toMatchObject({
      passed: { drain: { as: 'done', since: '2026-01-01T12:01:00.000Z' } },
    });
  });

  test('is left to a later look when the Machine changes while that is written', async () => {
    const world = handedOn();
    world.time.now = after(60);
    world.management.on(`patch ${machinePath}`, () => annotate(world, { 'cluster.x-k8s.io/paused': '' }));
    const { announcements } = await reconcilePhase(world.env, drain, aCommand());
    expect(announcements).toMatchObject([{ kind: 'blocked', reason: 'Paused' }]);
    expect(savedCheckpoint(world)).toEqual(aCheckpoint({ since: timeAfter(1) }));
  });

  test('loses nothing by an error before it: that a Cluster is missing is no try', async () => {
    const world = handedOn();
    const cluster = world.management.at('clusters/default/c');
    world.management.drop('clusters/default/c');
    world.time.now = after(2);
    await reconcilePhase(world.env, drain, aCommand());
    world.management.put('clusters', cluster ?? aCluster());
    world.time.now = after(3_600);
    refuseCordons(world);
    await reconcilePhase(world.env, drain, aCommand());
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T13:00:00.000Z' });
  });
});

const unread = (world: World): void =>
  world.management.on('get servers/default/m-1', () => {
    throw new Unavailable('500 conversion webhook failed');
  });

const deletion = (world: World): unknown => recordAt(world.management.at(machinePath), 'status')['deletion'];

async function triedAt(world: World, seconds: number): Promise<void> {
  world.time.now = after(seconds);
  await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
}

/** At these times, in seconds after the deletion, its infrastructure could not be read. */
async function unreadAt(times: readonly number[], world = aDrain({ standsStillSeconds: 0 })): Promise<World> {
  refuseCordons(world);
  for (const time of times) {
    unread(world);
    await triedAt(world, time);
  }
  return world;
}

describe('a drain of which nobody can tell whether it is to be done', () => {
  test('has not begun by that, as far as its status tells', async () => {
    const world = await unreadAt([10]);
    expect(deletion(world)).toBeUndefined();
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
  });

  test('is not over before somebody has tried it, however long that takes', async () => {
    const world = await unreadAt([10, 20, 39, 41, 72, 200]);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', passed: {} });
    expect(cordons(world)).toBe(0);
  });

  test.each<[string, (world: World) => void]>([
    ['whoever comes to it', () => undefined],
    ['another instance', (world) => void (world.env = world.another())],
  ])('has its whole time once it is known to be done, for %s', async (_who, change) => {
    const world = await unreadAt([10, 14, 38]);
    change(world);
    await triedAt(world, 39);
    expect(cordons(world)).toBe(1);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:00:39.000Z' });
    expect(deletion(world)).toEqual({ nodeDrainStartTime: timeAfter(39) });
    await triedAt(world, 68);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:00:39.000Z' });
    await triedAt(world, 69);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });

  test('begins once, also where no status can tell that it was put off', async () => {
    const world = aDrain({ standsStillSeconds: 0 });
    const refused = { kind: 'refused', code: 403, message: 'no' } as const;
    world.management.on(`patch ${machinePath}/status`, () => refused, 99);
    await unreadAt([10, 41, 72, 103, 134], world);
    expect(saves(world)).toBe(2);
    await triedAt(world, 150);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:02:30.000Z' });
    expect(cordons(world)).toBe(1);
    await triedAt(world, 179);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    await triedAt(world, 180);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });

  test('goes on with its time where it had begun before', async () => {
    const world = aDrain({ standsStillSeconds: 0 });
    refuseCordons(world);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    world.time.now = after(25);
    unread(world);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(deletion(world)).toEqual({ nodeDrainStartTime: timeAfter(10) });
    await triedAt(world, 40);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });
});

test('what follows a phase that was passed at once begins when that is written down, however long the store took', async () => {
  const world = aWorld();
  const { store } = world.env;
  world.env.store = {
    ...store,
    async schedule(look) {
      const isSet = await store.schedule(look);
      world.time.now += 25_000;
      return isSet;
    },
  };
  await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', since: '2026-01-01T12:00:35.000Z' });
});

/** Half a minute to drain since a second ago, and a Pod. Each such call takes longer than that. */
function slowly(call: string): World {
  const world = aDrain({ standsStillSeconds: 0, times: { nodeDrainStartTime: timeAfter(9) } });
  world.workload.put('pods', { ...pod('ns/app'), spec: { nodeName: 'node-1' } });
  world.workload.on(call, () => void (world.time.now += 31_000), 9);
  return world;
}

/** As in the peer, which asks for the time at the beginning of a pass. */
describe('a drain whose time was not over when its step began', () => {
  test.each(['get nodes/node-1', 'patch nodes/node-1', 'list pods'])(
    'asks its Pods to go, however long %s takes',
    async (path) => {
      const world = slowly(path);
      await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
      expect(evictions(world)).toEqual(['evict pods/ns/app']);
      expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: timeAfter(9) });
    },
  );

  test('is over in the next one', async () => {
    const world = slowly('list pods');
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(evictions(world)).toHaveLength(1);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });
});
