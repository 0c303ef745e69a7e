import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, savedCheckpoint, type World } from '../builders/world.ts';

// Something has kept the server from being deleted, and its Node is in use again.

const done = (seconds: number) => ({ as: 'done', since: timeAfter(seconds) }) as const;
const passed = { drain: done(1), 'volume-detach': done(1) };
const volume = 'kubernetes.io/csi/d^1';
const back = { ...pod('ns/back'), spec: { nodeName: 'node-1' } };
const server = 'delete servers/default/m-1';

interface Given {
  checkpoint?: Partial<Checkpoint>;
  annotations?: Record<string, string>;
  /** `spec.deletion`. */
  limits?: object;
  status?: Record<string, unknown>;
}

/** Ten seconds after the deletion; eight of them the server was to be deleted. */
function kept({ checkpoint, annotations, limits = {}, status = {} }: Given = {}): World {
  const at = aCheckpoint({ seq: 3, phase: 'infrastructure', since: timeAfter(2), passed, ...checkpoint });
  return aWorld(
    aRawMachine({ annotations: atCheckpoint(at, annotations), spec: { deletion: limits }, status }),
  );
}

const step = ({ env }: World) =>
  reconcilePhase(env, phaseFunctions.infrastructure, aCommand({ phase: 'infrastructure', seq: 3 }));

/** Where it stands after a step, and whether its server goes. */
async function standsAfter(world: World): Promise<[phase: string, isServerGoing: boolean]> {
  const { next } = await step(world);
  return [next?.phase ?? 'infrastructure', world.log.includes(server)];
}

/** By whichever clock. */
const longAfter = ({ time }: World): void => {
  time.now = after(38);
};

const comes = ({ workload }: World): void => void workload.put('pods', back);
const excludedDrain = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
const excludedVolumes = { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' };
const timedOut = { as: 'timed-out', since: timeAfter(1) } as const;
const excluded = { as: 'excluded', since: timeAfter(2) } as const;

function attached({ workload }: World): void {
  workload.put('nodes', aNode({ volumesAttached: [volume] }));
}

describe('before the server is deleted at last', () => {
  test.each<[what: string, given: Given, change: (world: World) => void, phase: string]>([
    ['nothing is there: it goes', {}, () => undefined, 'infrastructure'],
    ['a Pod that must go is drained', {}, comes, 'drain'],
    [
      'a Pod is drained where volumes are waited for no more',
      { annotations: excludedVolumes, checkpoint: { passed: { ...passed, 'volume-detach': excluded } } },
      comes,
      'drain',
    ],
    [
      'a Pod is drained from a Node that nobody hears from',
      {},
      (world) => {
        world.workload.put('nodes', aNode({ ready: 'Unknown' }));
        comes(world);
      },
      'drain',
    ],
    [
      'a Pod is drained of a Machine that was excluded from drains and is no more',
      { checkpoint: { passed: { ...passed, drain: excluded } } },
      comes,
      'drain',
    ],
    [
      'so is it where that was a moment ago: nobody has drained',
      { checkpoint: { since: timeAfter(8), passed: { ...passed, drain: excluded } } },
      comes,
      'drain',
    ],
    [
      'so is it, with all the time that a drain has, where the clock of whoever has come this far was ahead',
      {
        checkpoint: { since: timeAfter(35), passed: { ...passed, drain: excluded } },
        limits: { nodeDrainTimeoutSeconds: 20 },
      },
      comes,
      'drain',
    ],
    ['a Pod is left where drains are excluded', { annotations: excludedDrain }, comes, 'infrastructure'],
    [
      'a Pod is left where the time of the drain is over',
      { limits: { nodeDrainTimeoutSeconds: 5 } },
      comes,
      'infrastructure',
    ],
    [
      'a Pod is left where the time of the drain is over by the clock of whoever has come this far',
      { limits: { nodeDrainTimeoutSeconds: 15 }, checkpoint: { since: timeAfter(20) } },
      comes,
      'infrastructure',
    ],
    [
      'a Pod is left where that is so since long before the server was tried',
      {
        limits: { nodeDrainTimeoutSeconds: 15 },
        checkpoint: { since: timeAfter(9), reached: timeAfter(20) },
      },
      comes,
      'infrastructure',
    ],
    [
      'a Pod is left where the wait for volumes ended a moment ago',
      { checkpoint: { since: timeAfter(6) } },
      comes,
      'infrastructure',
    ],
    [
      'a Pod is drained where the clock of whoever has come this far was ahead: nobody knows when that was',
      { checkpoint: { since: timeAfter(600) } },
      comes,
      'drain',
    ],
    [
      'a Pod is left behind on a Node that nobody hears from as it was by the clock of whoever has come this far',
      { checkpoint: { since: timeAfter(30) } },
      ({ workload }) => {
        workload.put('nodes', aNode({ ready: 'Unknown' }));
        const metadata = { ...back.metadata, deletionTimestamp: timeAfter(20) };
        workload.put('pods', { ...back, metadata });
      },
      'infrastructure',
    ],
    [
      'a Pod is left where pre-terminate hooks were waited for',
      { checkpoint: { passed: { ...passed, 'pre-terminate': done(2) } } },
      comes,
      'infrastructure',
    ],
    ['volumes that are attached again are waited for', {}, attached, 'volume-detach'],
    [
      'volumes are left where their time is over',
      { limits: { nodeVolumeDetachTimeoutSeconds: 9 } },
      attached,
      'infrastructure',
    ],
    [
      'volumes are left where their time was over by a clock that was ahead, and is not by ours',
      {
        checkpoint: { since: timeAfter(600), passed: { ...passed, 'volume-detach': timedOut } },
        limits: { nodeVolumeDetachTimeoutSeconds: 60 },
      },
      attached,
      'infrastructure',
    ],
    [
      'volumes are left where their time was over by a right clock, and is not by ours, which is behind',
      {
        checkpoint: { passed: { ...passed, 'volume-detach': timedOut } },
        limits: { nodeVolumeDetachTimeoutSeconds: 60 },
      },
      (world) => {
        world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
        world.time.now = after(-7_200);
      },
      'infrastructure',
    ],
    [
      'volumes are waited for whose time was over long ago, and that have no limit by now',
      { checkpoint: { passed: { ...passed, 'volume-detach': timedOut } } },
      attached,
      'volume-detach',
    ],
    [
      'volumes are waited for of a Machine that was excluded from that and is no more, whatever their limit',
      {
        checkpoint: { passed: { ...passed, 'volume-detach': { as: 'excluded', since: timeAfter(1) } } },
        limits: { nodeVolumeDetachTimeoutSeconds: 5 },
      },
      attached,
      'volume-detach',
    ],
    [
      'volumes are waited for where that was a moment ago: nobody has waited',
      { checkpoint: { since: timeAfter(8), passed: { ...passed, 'volume-detach': excluded } } },
      attached,
      'volume-detach',
    ],
    [
      'volumes are left where the wait for them ended a moment ago',
      { checkpoint: { since: timeAfter(8) } },
      attached,
      'infrastructure',
    ],
    [
      'a Node that has gone holds nothing',
      {},
      ({ workload }) => workload.drop('nodes/node-1'),
      'infrastructure',
    ],
    [
      'a Node that has gone holds nothing where volumes are waited for no more',
      { annotations: excludedVolumes },
      ({ workload }) => workload.drop('nodes/node-1'),
      'infrastructure',
    ],
    [
      'a Cluster that is being deleted takes all with it',
      {},
      (world) => {
        const metadata = { deletionTimestamp: timeAfter(3), finalizers: ['a'] };
        world.management.change('clusters/default/c', { metadata });
        comes(world);
      },
      'infrastructure',
    ],
  ])('%s', async (_what, given, change, phase) => {
    const world = kept(given);
    change(world);
    expect(await standsAfter(world)).toEqual([phase, phase === 'infrastructure']);
  });

  // The API server's times are whole seconds: of half a minute the last one is not over yet.
  test.each<[what: string, seconds: number, change: (world: World) => void, phase: string]>([
    ['a Pod is drained where it is hours behind: it cannot tell how long that was', 7_200, comes, 'drain'],
    ['so are volumes waited for', 7_200, attached, 'volume-detach'],
    [
      'a Pod is left where it is a little behind, and none was there a moment ago',
      29,
      comes,
      'infrastructure',
    ],
  ])('by our own clock: %s', async (_what, seconds, change, phase) => {
    const world = kept();
    change(world);
    world.time.now = after(-seconds);
    expect(await standsAfter(world)).toEqual([phase, phase === 'infrastructure']);
  });

  test('the drain goes on from its own start, and says why it was gone back to', async () => {
    const world = kept();
    comes(world);
    const { facts } = await step(world);
    expect(facts).toMatchObject([
      {
        kind: 'advanced',
        from: 'infrastructure',
        message: 'Pods that must go have appeared on the Node again',
      },
    ]);
    expect(savedCheckpoint(world)).toEqual({
      v: 1,
      uid: 'uid-1',
      seq: 4,
      phase: 'drain',
      reached: '2026-01-01T12:00:10.000Z',
      since: timeAfter(1),
      passed: { 'volume-detach': done(1) },
    });
  });

  test('the wait for volumes goes on from its own start, and says why it was gone back to', async () => {
    const world = kept();
    world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    const message = 'volumes have been attached to the Node again';
    expect((await step(world)).facts).toMatchObject([{ kind: 'advanced', message }]);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', since: timeAfter(1) });
  });

  test('nothing is read of a Node for which there is nothing to do', async () => {
    const world = kept({ annotations: { ...excludedDrain, ...excludedVolumes } });
    await step(world);
    expect(world.workload.reads).toEqual(['get nodes/node-1']);
    expect(world.log.indexOf(server)).toBeGreaterThan(-1);
  });

  test('its Pods are not read where the Machine is excluded from drains', async () => {
    const world = kept({ annotations: excludedDrain });
    await step(world);
    expect(world.workload.reads).not.toContain('list pods');
    expect(world.log.indexOf(server)).toBeGreaterThan(-1);
  });

  const odd = { metadata: { namespace: 'default', name: 'odd' }, spec: { drain: { behavior: 'Evict' } } };
  const attachment = {
    metadata: { name: 'a' },
    spec: { nodeName: 'node-1', source: {} },
    status: { attached: true },
  };

  test.each<[what: string, change: (world: World, fail: () => never) => void, phase: string, given?: Given]>([
    ['the Node cannot be read', ({ workload }, fail) => workload.on('get nodes/node-1', fail), 'drain'],
    ['its Pods cannot be read', ({ workload }, fail) => workload.on('list pods', fail), 'drain'],
    [
      'nobody can tell which Pods have to go',
      (world) => {
        comes(world);
        world.management.put('machinedrainrules', odd);
      },
      'drain',
      { annotations: excludedVolumes },
    ],
    [
      'nothing says what is attached',
      ({ workload }) => void workload.put('volumeattachments', attachment),
      'volume-detach',
      { annotations: excludedDrain },
    ],
  ])('it is gone back to where it is said that %s', async (_what, change, phase, given) => {
    const world = kept(given);
    longAfter(world);
    change(world, () => {
      throw new Unavailable('no answer');
    });
    const { next, facts } = await step(world);
    expect(next?.phase).toBe(phase);
    expect(facts).toMatchObject([
      { message: expect.stringContaining('what is on the Node now is unknown: ') },
    ]);
    expect(world.log).not.toContain(server);
  });

  test.each<[what: string, seconds: number, given?: Given]>([
    // Such a clock cannot tell how long ago anything was, and would have it gone back each time.
    ['was just handed on by who could tell, and our clock is hours behind', -7_200],
    ['was handed on so lately that it may have been just now by another clock', 37],
    ['was handed on by a clock that is a little ahead', 10, { checkpoint: { since: timeAfter(30) } }],
    ['was handed on by a clock that is ahead by far', 10, { checkpoint: { since: timeAfter(600) } }],
  ])('it is not gone back where nobody can tell and the Machine %s', async (_what, seconds, given) => {
    const world = kept(given);
    world.workload.on('get nodes/node-1', () => {
      throw new Unavailable('no answer');
    });
    world.time.now = after(seconds);
    const { next, facts } = await step(world);
    expect(next).toBeUndefined();
    expect(facts).toMatchObject([
      { kind: 'failed', reason: 'InternalError', error: 'failed to delete: no answer' },
    ]);
    expect(world.log).not.toContain(server);
  });

  test('a mistake of ours is no reason to go back', async () => {
    const world = kept();
    world.workload.on('list pods', () => {
      throw new TypeError('a defect');
    });
    await expect(step(world)).rejects.toThrow('a defect');
  });

  test('nothing is deleted while nobody knows whether the Node may be touched', async () => {
    const world = kept();
    world.management.on('list machines', () => {
      throw new Unavailable('no answer');
    });
    const { next, facts } = await step(world);
    expect(next).toBeUndefined();
    expect(facts).toMatchObject([
      { kind: 'failed', reason: 'InternalError', error: expect.stringContaining('failed to delete: ') },
    ]);
    expect(world.log).not.toContain(server);
  });

  test('a drain that never began has all its time also where the command to it is lost', async () => {
    const limits = { nodeDrainTimeoutSeconds: 15 };
    const world = kept({ limits, checkpoint: { passed: { ...passed, drain: excluded } } });
    comes(world);
    expect((await step(world)).next?.phase).toBe('drain');
    world.time.now = after(30);
    const command = aCommand({ phase: 'drain', seq: 4 });
    await reconcilePhase(world.env, phaseFunctions.drain, command);
    expect(world.log).toContain('evict pods/ns/back');
  });

  test('nothing of this is asked once it is being deleted', async () => {
    const world = kept();
    const metadata = { deletionTimestamp: timeAfter(5), finalizers: ['a'] };
    world.management.change('servers/default/m-1', { metadata });
    await step(world);
    expect(world.workload.reads).not.toContain('list pods');
  });
});

function unlisted(world: World): void {
  longAfter(world);
  world.workload.on('list nodes', () => {
    throw new Unavailable('no answer');
  });
}

describe('of a Machine that does not name its Node', () => {
  const nameless: Given = { status: { nodeRef: {} } };
  const drained: Given = { ...nameless, checkpoint: { node: 'node-uid-1' } };
  const unseen: Given = {
    ...nameless,
    checkpoint: { passed: { drain: { as: 'not-applicable', since: timeAfter(1) } } },
  };
  test.each<[what: string, given: Given, change: (world: World) => void, phase: string]>([
    ['a Pod that must go is drained', drained, comes, 'drain'],
    ['a Pod is drained from a Node that came after the drain', unseen, comes, 'drain'],
    ['nothing is on the Node: the server goes', drained, () => undefined, 'infrastructure'],
    ['the Node has gone', drained, ({ workload }) => workload.drop('nodes/node-1'), 'infrastructure'],
    ['nobody can look for a Node that was drained', drained, unlisted, 'drain'],
    [
      'nobody can look for it, and the time of the drain is over',
      { ...drained, limits: { nodeDrainTimeoutSeconds: 5 } },
      unlisted,
      'volume-detach',
    ],
    ['nobody can look for one, and none was ever seen', unseen, unlisted, 'infrastructure'],
    [
      'nobody can look for it, and there is nothing to do for it',
      { ...drained, annotations: { ...excludedDrain, ...excludedVolumes } },
      unlisted,
      'infrastructure',
    ],
    [
      'nobody can look for it, and a Cluster that is being deleted takes all with it',
      drained,
      (world) => {
        const metadata = { deletionTimestamp: timeAfter(3), finalizers: ['a'] };
        world.management.change('clusters/default/c', { metadata });
        unlisted(world);
      },
      'infrastructure',
    ],
  ])('%s', async (_what, given, change, phase) => {
    const world = kept(given);
    change(world);
    expect(await standsAfter(world)).toEqual([phase, phase === 'infrastructure']);
  });
});
