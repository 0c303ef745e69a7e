import { beforeEach, describe, expect, test } from 'vitest';
import { handOver } from '../../functions/hand-over.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { beside, ourHook } from '../builders/beside.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { aSubject } from '../builders/subject.ts';
import {
  aCommand,
  aRival,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../builders/world.ts';

type Passed = Checkpoint['passed'];

const since = timeAfter(1);
const drained: Passed = { drain: { as: 'done', since }, 'volume-detach': { as: 'done', since } };
const excludeDrain = 'machine.cluster.x-k8s.io/exclude-node-draining';
const excludeVolumes = 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach';
const limits = { drainTimeoutSeconds: 60, volumeDetachTimeoutSeconds: 60 };

const handedOver = (message: string, ...exclusions: string[]) => ({
  kind: 'hand-over',
  exclusions,
  report: { reason: 'HandingOver', message: `Handed over: ${message}` },
});

describe('what is handed over', () => {
  const decide = (passed: Passed, machine: object = limits, hasLeft = false) =>
    handOver.decide(
      aSubject({ phase: 'hand-over', dialect: beside(), checkpoint: { passed }, machine }),
      { kind: 'prepared', hasLeft },
      after(10),
    );

  test.each<[what: string, decision: ReturnType<typeof decide>, expected: object]>([
    ['a drained Node', decide(drained), handedOver('drain done, volume-detach done')],
    [
      'a drain that is over, which must not be spent twice',
      decide({ ...drained, drain: { as: 'timed-out', since } }),
      handedOver('drain timed-out, volume-detach done; not repeated: drain', 'drain'),
    ],
    [
      'a wait for volumes that is over',
      decide({ ...drained, 'volume-detach': { as: 'timed-out', since } }),
      handedOver('drain done, volume-detach timed-out; not repeated: volume-detach', 'volume-detach'),
    ],
    [
      'a limit that the Machine has no more',
      decide({ ...drained, drain: { as: 'timed-out', since } }, {}),
      handedOver('drain timed-out, volume-detach done'),
    ],
    [
      'a Pod that has finished, and that the controller of the API would wait for',
      decide(drained, limits, true),
      handedOver('drain done, volume-detach done; not repeated: drain', 'drain'),
    ],
    [
      'a Machine that is excluded',
      decide({ drain: { as: 'excluded', since } }),
      handedOver('drain excluded, volume-detach not begun'),
    ],
  ])('%s', (_what, decision, expected) => {
    expect(decision).toEqual(expected);
  });

  test('is nothing where Pods have come to the Node', () => {
    const subject = aSubject({ phase: 'hand-over', dialect: beside(), checkpoint: { passed: drained } });
    const back = { to: 'drain', why: 'Pods that must go have appeared on the Node again' } as const;
    expect(handOver.decide(subject, { kind: 'unprepared', back }, after(10))).toEqual({
      kind: 'retreat',
      to: 'drain',
      message: back.why,
    });
  });
});

const going = { metadata: { deletionTimestamp: timeAfter(5), finalizers: ['example.com/held'] } };
const unreadable = (): never => {
  throw new Unavailable('connection refused');
};

/** A worker that stands at the hand-over since `at` seconds. */
function standing(passed: Passed, at = 9, own: Record<string, string> = {}): World {
  const checkpoint = aCheckpoint({
    phase: 'hand-over',
    seq: 3,
    since: timeAfter(at),
    passed,
    node: 'node-uid-1',
  });
  const annotations = atCheckpoint(checkpoint, { [ourHook]: 'phaseout.dev', other: 'stays', ...own });
  const world = aWorld(aRawMachine({ annotations }));
  world.env.dialects = [beside()];
  return world;
}

const step = ({ env }: World) => reconcilePhase(env, handOver, aCommand({ phase: 'hand-over', seq: 3 }));
const annotationsOf = ({ management }: World): Record<string, string> =>
  management.at(machinePath)?.metadata.annotations ?? {};
const aPod = (labels: Record<string, string>, phase: string): KubeObject => ({
  metadata: { namespace: 'shop', name: 'left', uid: 'pod-uid-1', labels },
  spec: { nodeName: 'node-1' },
  status: { phase },
});

describe('a Machine at the hand-over', () => {
  let world: World;
  beforeEach(() => {
    world = standing(drained);
  });

  test('loses our hook in one patch, which saves that it was released', async () => {
    const { facts } = await step(world);
    expect(annotationsOf(world)).not.toHaveProperty(ourHook);
    expect(annotationsOf(world)).toMatchObject({ other: 'stays' });
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'hand-over',
      seq: 4,
      released: '2026-01-01T12:00:10.000Z',
    });
    expect(facts).toEqual([
      expect.objectContaining({ kind: 'advanced', from: 'hand-over', phase: 'pre-terminate', as: 'done' }),
    ]);
    expect(world.log.filter((line) => line.includes('patch machines'))).toEqual([
      `json-patch ${machinePath}`,
    ]);
  });

  test('keeps its finalizer, its infrastructure and its Node', async () => {
    await step(world);
    expect(world.management.at(machinePath)?.metadata.finalizers).toEqual(aRawMachine().metadata.finalizers);
    expect(world.log.filter((line) => line.startsWith('delete'))).toEqual([]);
  });

  test('is looked at again where its patch is refused as one of an older version', async () => {
    world.management.on(`json-patch ${machinePath}`, () => ({ kind: 'conflict', message: 'changed' }));
    await step(world);
    expect(annotationsOf(world)).not.toHaveProperty([ourHook]);
    expect(world.log.filter((line) => line === `json-patch ${machinePath}`)).toHaveLength(2);
  });

  test('keeps our hook where somebody pauses it between the look and the patch', async () => {
    const paused = { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } };
    world.management.on(`json-patch ${machinePath}`, () => world.management.change(machinePath, paused));
    await step(world);
    expect(annotationsOf(world)).toHaveProperty([ourHook], 'phaseout.dev');
    expect(savedCheckpoint(world)).not.toHaveProperty('released');
  });

  test('says on itself that the hook is refused to be taken off', async () => {
    world.management.on(`json-patch ${machinePath}`, () => ({ kind: 'refused', code: 422, message: 'no' }));
    await step(world);
    expect(annotationsOf(world)).toHaveProperty([ourHook]);
  });

  test('goes back to the drain where a Pod has come since', async () => {
    world = standing(drained, 1);
    world.workload.put('pods', aPod({}, 'Running'));
    const { next } = await step(world);
    expect(next).toMatchObject({ phase: 'drain' });
    expect(annotationsOf(world)).toHaveProperty([ourHook]);
  });

  test('is handed over without a second drain where a Pod is left that was waited for and has finished', async () => {
    world.workload.put('pods', aPod({ 'cluster.x-k8s.io/drain': 'wait-completed' }, 'Succeeded'));
    await step(world);
    expect(annotationsOf(world)).toHaveProperty([excludeDrain], 'phaseout.dev');
    expect(annotationsOf(world)).not.toHaveProperty([excludeVolumes]);
  });

  test('says what could not be read', async () => {
    world = standing(drained, 1);
    world.workload.on('list pods', () => {
      throw new Unavailable('the rule m is invalid');
    });
    await step(world);
    expect(world.management.at(machinePath)?.['status']).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: 'phaseout.dev/Draining',
          message: expect.stringContaining('the rule m is invalid'),
        }),
      ]),
    });
  });

  test('is handed over where only Pods of phaseout itself are left: its own controller evicts them', async () => {
    world.env.dialects = [beside({ ownNamespace: 'shop' })];
    world.workload.put('pods', aPod({}, 'Running'));
    await step(world);
    expect(annotationsOf(world)).not.toHaveProperty([ourHook]);
    expect(annotationsOf(world)).not.toHaveProperty([excludeDrain]);
  });

  test.each<[what: string, times: number, exclusion: string | undefined]>([
    ['is looked at again where that took long, and handed over with the exclusion', 1, 'phaseout.dev'],
    ['is handed over without an exclusion where each look takes long', 9, undefined],
  ])('%s', async (_what, times, exclusion) => {
    world.workload.put('pods', aPod({ 'cluster.x-k8s.io/drain': 'wait-completed' }, 'Succeeded'));
    const slow = (): void => void (world.time.now += 6_000);
    world.workload.on('get nodes/node-1', slow, times);
    await step(world);
    expect(annotationsOf(world)).not.toHaveProperty([ourHook]);
    expect(annotationsOf(world)[excludeDrain]).toBe(exclusion);
  });

  test.each<[what: string, change: (world: World) => void]>([
    ['is another server’s', ({ management }) => management.put('machines', aRival())],
    ['is of an unknown owner', () => undefined],
    [
      'is of an unknown owner, whatever becomes of its infrastructure',
      ({ management }) => management.drop('servers/default/m-1'),
    ],
    [
      'is of an unknown owner, though its time is over',
      ({ management }) =>
        management.change(machinePath, { spec: { deletion: { nodeDrainTimeoutSeconds: 1 } } }),
    ],
  ])('is held where the Node that it names %s', async (_what, meanwhile) => {
    world.workload.change('nodes/node-1', { spec: { providerID: 'x://other' } });
    meanwhile(world);
    await step(world);
    expect(annotationsOf(world)).toHaveProperty([ourHook]);
    world.time.now += 3_600_000;
    await step(world);
    expect(annotationsOf(world)).toHaveProperty([ourHook]);
    expect(savedCheckpoint(world)).not.toHaveProperty('released');
  });

  test.each<[what: string, change: (world: World) => void]>([
    ['its Cluster is being deleted', ({ management }) => management.change('clusters/default/c', going)],
    [
      'its infrastructure is being deleted',
      ({ management }) => management.change('servers/default/m-1', going),
    ],
    ['its infrastructure is gone', ({ management }) => management.drop('servers/default/m-1')],
    [
      'it names no Node, and none has its providerID',
      ({ management, workload }) => {
        management.change(machinePath, { status: { nodeRef: null } });
        workload.change('nodes/node-1', { spec: { providerID: 'x://other' } });
      },
    ],
  ])('is let go without exclusions where %s, whatever the drain has come to', async (_what, meanwhile) => {
    world = standing({ drain: { as: 'timed-out', since }, 'volume-detach': { as: 'timed-out', since } }, 1);
    meanwhile(world);
    world.workload.put('pods', aPod({}, 'Running'));
    await step(world);
    expect(annotationsOf(world)).not.toHaveProperty([ourHook]);
    expect(annotationsOf(world)).not.toHaveProperty([excludeDrain]);
  });

  test.each<[what: string, change: (world: World) => void]>([
    ['its Node', ({ workload }) => workload.on('get nodes/node-1', unreadable)],
    ['its Pods', ({ workload }) => workload.on('list pods', unreadable)],
  ])('keeps our hook while %s cannot be read', async (_what, meanwhile) => {
    meanwhile(world);
    await step(world);
    expect(annotationsOf(world)).toHaveProperty([ourHook]);
  });

  test('is let go at once, without a look, where the hook came back after it was released', async () => {
    const checkpoint = { ...aCheckpoint({ phase: 'hand-over', seq: 3, passed: drained }), released: since };
    world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint, { [ourHook]: 'phaseout.dev' }) }));
    world.env.dialects = [beside()];
    world.workload.put('pods', aPod({}, 'Running'));
    await step(world);
    expect(annotationsOf(world)).not.toHaveProperty([ourHook]);
  });

  test('that says that its hook could not be taken off is not told otherwise before each try', async () => {
    const message = 'the hook could not be taken off: denied';
    const condition = { type: 'phaseout.dev/Draining', status: 'True', reason: 'InternalError', message };
    world.management.change(machinePath, { status: { conditions: [condition] } });
    world.log.length = 0;
    await step(world);
    expect(annotationsOf(world)).not.toHaveProperty([ourHook]);
    expect(world.log.filter((line) => line.includes('status'))).toEqual([]);
  });

  test('that shows its drain shows its end before our hook goes', async () => {
    const condition = { type: 'phaseout.dev/Draining', status: 'True', reason: 'DrainingNode', message: '' };
    world.management.change(machinePath, { status: { conditions: [condition] } });
    world.log.length = 0;
    await step(world);
    expect(world.log.filter((line) => line.includes('patch machines'))).toEqual([
      `patch ${machinePath}/status`,
      `json-patch ${machinePath}`,
    ]);
  });

  test('is left alone once our hook is off', async () => {
    const { [ourHook]: _, ...rest } = annotationsOf(world);
    world.management.put('machines', aRawMachine({ annotations: rest }));
    world.log.length = 0;
    await step(world);
    expect(world.log).toEqual(['claim', 'release']);
    expect(await world.env.store.due(world.time.now + 3_600_000, 10)).toEqual([]);
  });
});
