import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { anActuator } from '../builders/actuator.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { aRawMachine as aRawOpenShiftMachine } from '../builders/openshift.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, deletingCondition, type World } from '../builders/world.ts';

// Lines of ours, which facts have after the peer's lines and conditions have not.

const blockedBy = 'Pod ns/web: deletionTimestamp set, but still not removed from the Node';
const unreachable =
  'Node node-1 is unreachable (since 2026-01-01T11:00:00Z): evictions ask for a grace period of 1 s; a Pod that is on its way ' +
  'is left behind 2 s after it was to be gone, and its containers may run until the server is gone; ' +
  'a disruption budget that refuses an eviction still holds the drain';

function turn({ workload }: World, ready: 'True' | 'Unknown'): void {
  const node = aNode();
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: '2026-01-01T11:00:00Z' }];
  workload.put('nodes', { ...node, status: { ...node.status, conditions } });
}

/** A Pod that was asked to go a second ago. */
function aDrain(world = aWorld(machineIn('drain'))): World {
  const going = pod('ns/web', { deletionTimestamp: timeAfter(9) });
  world.workload.put('pods', { ...going, spec: { nodeName: 'node-1' } });
  return world;
}

function machineIn(phase: Phase): KubeObject {
  const passed = phase === 'drain' ? {} : { drain: { as: 'done' as const, since: timeAfter(0) } };
  return aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase, passed })) });
}

/** The report of a wait, line by line. */
async function told(world: World, phase: 'drain' | 'volume-detach', command = {}): Promise<string[][]> {
  const { facts } = await reconcilePhase(world.env, phaseFunctions[phase], aCommand({ phase, ...command }));
  return facts.flatMap((each) => (each.kind === 'blocked' ? [each.message.split('\n')] : []));
}

describe('that the Node is unreachable', () => {
  test('is told of a drain after the lines of the peer, and the condition has those alone', async () => {
    const world = aDrain();
    turn(world, 'Unknown');
    expect((await told(world, 'drain')).map((lines) => lines.slice(1))).toEqual([
      [`* ${blockedBy}`, unreachable],
    ]);
    expect(deletingCondition(world)?.message.split('\n').slice(1)).toEqual([`* ${blockedBy}`]);
  });

  test('is told once, and no more when it can be reached', async () => {
    const world = aDrain();
    const unreachableAfter = async (): Promise<boolean[]> =>
      (await told(world, 'drain')).map((lines) => lines.includes(unreachable));
    turn(world, 'Unknown');
    expect(await unreachableAfter()).toEqual([true]);
    expect(await unreachableAfter()).toEqual([]);
    turn(world, 'True');
    expect(await unreachableAfter()).toEqual([false]);
    expect(await unreachableAfter()).toEqual([]);
  });

  test('is told in OpenShift, too', async () => {
    const annotations = atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' }));
    const world = aWorld(aRawOpenShiftMachine({ annotations }));
    Object.assign(world.env, { dialects: [openShift], actuator: anActuator() });
    turn(aDrain(world), 'Unknown');
    const machine = { ...aCommand().machine, apiVersion: 'machine.openshift.io/v1beta1' };
    expect((await told(world, 'drain', { machine })).map((lines) => lines.at(-1))).toEqual([unreachable]);
  });
});

const attachment = (name: string, status: object = {}): KubeObject => ({
  metadata: { name },
  spec: { attacher: 'd', nodeName: 'node-1', source: { persistentVolumeName: `pv-of-${name}` } },
  status: { attached: true, ...status },
});
const volume = (name: string, claim: string): KubeObject => ({
  metadata: { name },
  spec: { claimRef: { kind: 'PersistentVolumeClaim', namespace: 'ns', name: claim } },
});

describe('a VolumeAttachment', () => {
  const detachError = { message: 'rpc error:\tvolume not found' };
  const stale =
    '* VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume: pv-of-csi-stale';

  test('of no PersistentVolume is told by its own name, with its detach error; the condition has the peer’s line', async () => {
    const world = aWorld(machineIn('volume-detach'));
    world.workload.put('volumeattachments', attachment('csi-stale', { detachError }));
    expect((await told(world, 'volume-detach')).map((lines) => lines.slice(1))).toEqual([
      [
        stale,
        'VolumeAttachment csi-stale of PersistentVolume pv-of-csi-stale, which does not exist: detaching failed: rpc error: volume not found',
      ],
    ]);
    expect(deletingCondition(world)?.message.split('\n').slice(1)).toEqual([stale]);
  });

  test('of a claim is told where detaching failed, and not where it goes on or its Pod stays', async () => {
    const world = aWorld(machineIn('volume-detach'));
    for (const name of ['a', 'b', 'c']) {
      world.workload.put('persistentvolumes', volume(`pv-of-${name}`, name));
      world.workload.put('volumeattachments', attachment(name, name === 'b' ? {} : { detachError }));
    }
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
    const stays = pod('ns/stays', { labels: { 'cluster.x-k8s.io/drain': 'skip' } });
    world.workload.put('pods', { ...stays, spec: { nodeName: 'node-1', volumes } });
    expect((await told(world, 'volume-detach')).map((lines) => lines.slice(1))).toEqual([
      [
        '* PersistentVolumeClaims: ns/a, ns/b',
        'VolumeAttachment a of PersistentVolume pv-of-a: detaching failed: rpc error: volume not found',
      ],
    ]);
  });

  test('is told when its detaching begins to fail, and no more when it does not, though the condition stays the same', async () => {
    const world = aWorld(machineIn('volume-detach'));
    world.workload.put('persistentvolumes', volume('pv-of-a', 'a'));
    const claims = '* PersistentVolumeClaims: ns/a';
    const failed =
      'VolumeAttachment a of PersistentVolume pv-of-a: detaching failed: rpc error: volume not found';
    const toldWith = async (status: object): Promise<string[][]> => {
      world.workload.put('volumeattachments', attachment('a', status));
      return (await told(world, 'volume-detach')).map((lines) => lines.slice(1));
    };
    expect(await toldWith({})).toEqual([[claims]]);
    expect(await toldWith({ detachError })).toEqual([[claims, failed]]);
    expect(await toldWith({ detachError })).toEqual([]);
    expect(await toldWith({})).toEqual([[claims]]);
    expect(await toldWith({})).toEqual([]);
  });

  test('is one of five that are told', async () => {
    const world = aWorld(machineIn('volume-detach'));
    for (const name of ['1', '2', '3', '4', '5', '6', '7'])
      world.workload.put('volumeattachments', attachment(name));
    const [lines = []] = await told(world, 'volume-detach');
    expect(lines.slice(-2)).toEqual([
      'VolumeAttachment 5 of PersistentVolume pv-of-5, which does not exist',
      '... and 2 more VolumeAttachments',
    ]);
  });
});
