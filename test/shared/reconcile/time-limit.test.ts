import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { volumeDetach } from '../../../functions/volume-detach.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aNode } from '../../builders/subject.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

const hoursAhead = 10_080;
const patch = `patch ${machinePath}`;
const patches = ({ log }: World) => log.filter((line) => line.startsWith(patch)).length;
const look = (world: World) =>
  reconcilePhase(world.env, volumeDetach, aCommand({ phase: 'volume-detach', seq: 2 }));
const deletion = ({ management }: World) => recordAt(management.at(machinePath), 'status', 'deletion');

/** Its clock was 2.8 hours ahead when the wait for volumes began, two seconds after. The drain began rightly. */
const wrong = aCheckpoint({
  phase: 'volume-detach',
  since: timeAfter(hoursAhead + 2),
  passed: { drain: { as: 'done', since: timeAfter(1) } },
});
const wrongTimes = {
  nodeDrainStartTime: timeAfter(1),
  waitForNodeVolumeDetachStartTime: timeAfter(hoursAhead + 2),
};

interface Given {
  checkpoint?: Checkpoint;
  times?: object;
  annotations?: Record<string, string>;
  metadata?: Record<string, unknown>;
}

/** A Node with a volume that stays, and a minute to wait for it. Ten seconds after. */
function aWait({ checkpoint = wrong, times = wrongTimes, annotations, metadata }: Given = {}): World {
  const machine: KubeObject = aRawMachine({
    metadata: { annotations: atCheckpoint(checkpoint, annotations), ...metadata },
    spec: { deletion: { nodeVolumeDetachTimeoutSeconds: 60 } },
    status: { deletion: times },
  });
  const world = aWorld(machine);
  world.workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/x^y'] }));
  return world;
}

describe('a start that lies in the future', () => {
  test('is reset, and the status follows', async () => {
    const world = aWait();
    await look(world);
    expect(savedCheckpoint(world)).toEqual({ ...wrong, since: '2026-01-01T12:00:10.000Z' });
    expect(deletion(world)).toEqual({
      nodeDrainStartTime: timeAfter(1),
      waitForNodeVolumeDetachStartTime: timeAfter(10),
    });
    expect(patches(world)).toBe(2);
    expect(world.management.reads.filter((read) => read === `get ${machinePath}`)).toHaveLength(1);
    expect(world.said).toContain('Phase start was in the future, reset to now');
  });

  test('is reset once: later steps write nothing', async () => {
    const world = aWait();
    await look(world);
    world.time.now += 20_000;
    await look(world);
    world.time.now += 20_000;
    await look(world);
    expect(patches(world)).toBe(2);
    expect(savedCheckpoint(world)).toMatchObject({ since: '2026-01-01T12:00:10.000Z' });
  });

  test('of a clock that goes back holds the Machine for no longer than its time limit from then on', async () => {
    const world = aWait({ checkpoint: aCheckpoint({ since: timeAfter(1) }), times: {} });
    world.time.now = after(hoursAhead + 5);
    await reconcilePhase(world.env, drain, aCommand());
    await look(world);
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'volume-detach',
      since: '2026-01-01T14:48:05.000Z',
    });
    expect(deletion(world)).toMatchObject({ waitForNodeVolumeDetachStartTime: timeAfter(hoursAhead + 5) });
    world.time.now = after(10);
    await look(world);
    expect(deletion(world)).toMatchObject({ waitForNodeVolumeDetachStartTime: timeAfter(10) });
    world.time.now = after(69.999);
    await look(world);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach' });
    world.time.now = after(70);
    const { next } = await look(world);
    expect(next).toMatchObject({ phase: 'infrastructure', seq: 3 });
    expect(savedCheckpoint(world)).toMatchObject({ passed: { 'volume-detach': { as: 'timed-out' } } });
  });

  test('is stamped before the first checkpoint is written, where the Machine alone tells of it', async () => {
    const drained = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
    const world = aWait({ metadata: { annotations: drained } });
    await reconcilePhase(world.env, volumeDetach, aCommand({ phase: 'volume-detach', seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'volume-detach',
      since: '2026-01-01T12:00:10.000Z',
    });
    expect(patches(world)).toBe(2);
  });

  test('is left to a later look when the Machine has changed meanwhile', async () => {
    const world = aWait();
    world.management.on(patch, () => {
      world.management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    });
    const { facts } = await look(world);
    expect(facts).toMatchObject([{ kind: 'blocked', reason: 'Paused' }]);
    expect(savedCheckpoint(world)).toEqual(wrong);
    expect(world.workload.reads).toEqual([]);
    expect(world.said).not.toContain('Phase start was in the future, reset to now');
  });
});

describe('nothing is reset', () => {
  const right = { ...wrong, since: timeAfter(9) };
  const rightTimes = { ...wrongTimes, waitForNodeVolumeDetachStartTime: timeAfter(9) };

  test.each<[string, Given, number]>([
    ['while the start has come', { checkpoint: right, times: rightTimes }, 10],
    ['for as much as clocks may differ', { checkpoint: right, times: rightTimes }, -21],
    [
      'by a clock that is behind: the API server has dated the write of the start',
      {
        checkpoint: { ...wrong, since: timeAfter(1_000) },
        times: { ...wrongTimes, waitForNodeVolumeDetachStartTime: timeAfter(1_000) },
        metadata: {
          annotations: atCheckpoint({ ...wrong, since: timeAfter(1_000) }),
          managedFields: [{ manager: 'phaseout', operation: 'Update', time: timeAfter(1_000) }],
        },
      },
      10,
    ],
    ['on a Machine that is paused', { annotations: { 'cluster.x-k8s.io/paused': '' } }, 10],
  ])('%s', async (_what, given, now) => {
    const world = aWait(given);
    world.time.now = after(now);
    const before = savedCheckpoint(world);
    const times = deletion(world);
    await look(world);
    expect(savedCheckpoint(world)).toEqual(before);
    expect(deletion(world)).toEqual(times);
    expect(world.said).not.toContain('Phase start was in the future, reset to now');
  });
});

/** Half a minute to drain, and a Node that cannot be cordoned. Handed on a second after the deletion began. */
function aDrain(checkpoint: Checkpoint = aCheckpoint(), status: object = {}): World {
  const world = aWorld(
    aRawMachine({
      metadata: { annotations: atCheckpoint(checkpoint) },
      spec: { deletion: { nodeDrainTimeoutSeconds: 30 } },
      status: { ...status },
    }),
  );
  world.workload.put('nodes', { ...aNode(), spec: { providerID: 'x://m-1' } });
  world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 500, message: 'not now' }), 99);
  return world;
}

async function drainAt(world: World, seconds: number): Promise<void> {
  world.time.now = after(seconds);
  await reconcilePhase(world.env, drain, aCommand());
}

const saves = ({ log }: World) => log.filter((line) => line === patch).length;
const drainStart = (world: World) => deletion(world)['nodeDrainStartTime'];

describe('the time limit of a drain starts with its first attempt that has to wait', () => {
  test('and the status alone tells of it, where that was just after it was handed on', async () => {
    const world = aDrain();
    await drainAt(world, 1.5);
    expect(drainStart(world)).toBe(timeAfter(1));
    expect(saves(world)).toBe(0);
    await drainAt(world, 30.999);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    await drainAt(world, 31);
    expect(savedCheckpoint(world)).toMatchObject({
      passed: { drain: { as: 'timed-out', since: timeAfter(1) } },
    });
  });

  test('however late that comes: a hook, a pause or a lost command takes nothing of it', async () => {
    const world = aDrain();
    await drainAt(world, 600);
    expect(drainStart(world)).toBe(timeAfter(600));
    expect(savedCheckpoint(world)).toMatchObject({
      since: '2026-01-01T12:10:00.000Z',
      reached: timeAfter(1),
    });
    await drainAt(world, 629);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    await drainAt(world, 630);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
    expect(saves(world)).toBe(2);
  });

  test('and the checkpoint tells of it, where no status can be written', async () => {
    const world = aDrain();
    world.management.on(`${patch}/status`, () => ({ kind: 'refused', code: 403, message: 'no' }), 99);
    await drainAt(world, 1.5);
    expect(savedCheckpoint(world)).toMatchObject({
      since: '2026-01-01T12:00:01.500Z',
      reached: timeAfter(1),
    });
    await drainAt(world, 32);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });

  test('and not while nothing can tell whether the drain applies', async () => {
    const world = aDrain();
    world.management.on(
      'get servers/default/m-1',
      () => {
        throw new Unavailable('no answer');
      },
      2,
    );
    for (const seconds of [10, 100]) await drainAt(world, seconds);
    expect(drainStart(world)).toBeUndefined();
    expect(saves(world)).toBe(0);
    await drainAt(world, 200);
    expect(drainStart(world)).toBe(timeAfter(200));
  });

  test('and a drain that is taken up again goes on from there', async () => {
    const world = aDrain(aCheckpoint({ since: timeAfter(20), reached: timeAfter(1) }));
    await drainAt(world, 49);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    await drainAt(world, 50);
    expect(savedCheckpoint(world)).toMatchObject({
      passed: { drain: { as: 'timed-out', since: timeAfter(20) } },
    });
  });
});

describe('what an instance of an older release has left', () => {
  test('counts from the start that its status tells', async () => {
    const world = aDrain(aCheckpoint(), { deletion: { nodeDrainStartTime: timeAfter(1) } });
    await drainAt(world, 31);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });

  test('has its whole time again where nothing tells of a start', async () => {
    const world = aDrain(aCheckpoint(), {
      conditions: [{ type: 'Deleting', status: 'True', reason: 'DrainingNode' }],
    });
    await drainAt(world, 31);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since: '2026-01-01T12:00:31.000Z' });
  });
});
