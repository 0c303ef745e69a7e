import { describe, expect, test } from 'vitest';
import { handOver } from '../../functions/hand-over.ts';
import { besideOpenShift } from '../../shared/dialects/beside/openshift.ts';
import type { BesideOptions } from '../../shared/dialects/beside/registration.ts';
import { conditionsFrom, find } from '../../shared/dialects/conditions.ts';
import { recordAt } from '../../shared/dialects/fields.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { anInstallation } from '../builders/beside.ts';
import { aCheckpoint, timeAfter } from '../builders/cluster-api.ts';
import { aRawMachine } from '../builders/openshift.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../builders/world.ts';

const ours = { name: 'phaseout', owner: 'phaseout.dev' };
const etcd = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };
const skip = { 'cluster.x-k8s.io/drain': 'skip' };

interface Given {
  hooks?: object[];
  options?: Partial<BesideOptions>;
  drain?: NonNullable<Checkpoint['passed']['drain']>['as'];
}

/** A worker that stands at the hand-over, with drain labels in force. */
function standing({ hooks = [ours], options = {}, drain = 'done' }: Given = {}): World {
  const checkpoint = aCheckpoint({
    phase: 'hand-over',
    seq: 3,
    since: timeAfter(9),
    passed: { drain: { as: drain, since: timeAfter(1) } },
    node: 'node-uid-1',
  });
  const spec = { lifecycleHooks: { preDrain: hooks } };
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint), spec }));
  const dialect = besideOpenShift(openShift, anInstallation(options));
  world.env.dialects = [{ ...dialect, drain: { ...dialect.drain, labels: 'always' } }];
  return world;
}

const aPod = (labels: Record<string, string> = {}, namespace = 'shop'): KubeObject => ({
  metadata: { namespace, name: `left-in-${namespace}`, uid: `uid-in-${namespace}`, labels },
  spec: { nodeName: 'node-1' },
  status: { phase: 'Running' },
});

const step = ({ env }: World) =>
  reconcilePhase(env, handOver, {
    ...aCommand({ phase: 'hand-over', seq: 3 }),
    machine: { apiVersion: 'machine.openshift.io/v1beta1', namespace: 'default', name: 'm-1', uid: 'uid-1' },
  });

function left({ management }: World) {
  const machine = management.at(machinePath);
  const conditions = conditionsFrom(recordAt(machine, 'status')['conditions']);
  return {
    hooks: recordAt(machine, 'spec', 'lifecycleHooks')['preDrain'],
    drained: find(conditions, 'Drained')?.status,
  };
}

const writes = ({ log }: World): string[] => log.filter((line) => line.includes('patch machines'));

describe('at the hand-over to OpenShift’s controllers', () => {
  test('only the hook goes where no Pod is left', async () => {
    const world = standing();
    await step(world);
    expect(left(world)).toEqual({ hooks: [], drained: undefined });
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'hand-over', seq: 4 });
    expect(writes(world)).toEqual([`patch ${machinePath}/status`, `json-patch ${machinePath}`]);
  });

  test('the drain is marked as done, and then the hook goes, where a label lets a Pod stay', async () => {
    const world = standing();
    world.workload.put('pods', aPod(skip));
    await step(world);
    expect(left(world)).toEqual({ hooks: [], drained: 'True' });
    expect(writes(world)).toEqual([
      `patch ${machinePath}/status`,
      `json-patch ${machinePath}/status`,
      `json-patch ${machinePath}`,
    ]);
  });

  test.each([
    ['the hook goes', [], `json-patch ${machinePath}`],
    ['the drain is marked as done', [aPod(skip)], `json-patch ${machinePath}/status`],
  ])('neither where the authority moves just before %s', async (_what, pods, call) => {
    const world = standing();
    for (const pod of pods) world.workload.put('pods', pod);
    const moved = { status: { authoritativeAPI: 'Migrating' } };
    world.management.on(call, () => world.management.change(machinePath, moved));
    await step(world);
    expect(left(world)).toEqual({ hooks: [ours], drained: undefined });
    expect(savedCheckpoint(world)).not.toHaveProperty('released');
  });

  test.each<[what: string, given: Given, pods: KubeObject[], hooks: object[]]>([
    [
      'the hook of another is left, which goes after ours',
      { hooks: [ours, etcd], options: { hooksAfter: [etcd.name] } },
      [aPod(skip)],
      [etcd],
    ],
    [
      'Pods of phaseout itself are left, too',
      { options: { ownNamespace: 'tools' } },
      [aPod(skip), aPod({}, 'tools')],
      [],
    ],
    ['the drain was given up', { drain: 'timed-out' }, [aPod(skip)], []],
  ])('nothing is marked where %s', async (_what, given, pods, hooks) => {
    const world = standing(given);
    for (const pod of pods) world.workload.put('pods', pod);
    await step(world);
    expect(left(world)).toEqual({ hooks, drained: undefined });
  });

  test.each<[what: string, times: number, drained: string | undefined]>([
    ['looks once more where that took long, and marks it then', 1, 'True'],
    ['marks nothing where each look takes long, and takes only the hook off', 9, undefined],
  ])('it %s', async (_what, times, drained) => {
    const world = standing();
    world.workload.put('pods', aPod(skip));
    const slow = (): void => void (world.time.now += 6_000);
    world.workload.on('get nodes/node-1', slow, times);
    await step(world);
    expect(left(world)).toEqual({ hooks: [], drained });
  });

  test('our hook stays where the mark is refused', async () => {
    const world = standing();
    world.workload.put('pods', aPod(skip));
    world.management.on(
      `json-patch ${machinePath}/status`,
      () => ({ kind: 'refused', code: 422, message: 'no' }),
      9,
    );
    await step(world);
    expect(left(world)).toEqual({ hooks: [ours], drained: undefined });
  });

  test('where somebody writes the Machine after the mark, only the hook is still taken off', async () => {
    const world = standing();
    world.workload.put('pods', aPod(skip));
    world.management.on(`json-patch ${machinePath}`, () => ({ kind: 'conflict', message: 'changed' }));
    await step(world);
    expect(left(world)).toEqual({ hooks: [], drained: 'True' });
    expect(writes(world)).toEqual([
      `patch ${machinePath}/status`,
      `json-patch ${machinePath}/status`,
      `json-patch ${machinePath}`,
      `json-patch ${machinePath}`,
    ]);
  });

  test('a Pod that has come since takes it back to the drain', async () => {
    const world = standing();
    world.workload.put('pods', aPod());
    const { next } = await step(world);
    expect(next).toMatchObject({ phase: 'drain' });
    expect(left(world)).toEqual({ hooks: [ours], drained: undefined });
  });

  test('a Node that takes Pods again is not said to be drained of those that stay', async () => {
    const world = standing();
    world.workload.put('pods', aPod(skip));
    world.workload.change('nodes/node-1', { spec: { unschedulable: false } });
    const { next } = await step(world);
    expect(next).toMatchObject({ phase: 'drain' });
    expect(left(world)).toEqual({ hooks: [ours], drained: undefined });
  });
});
