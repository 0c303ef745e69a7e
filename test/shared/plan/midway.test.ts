import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { PhaseOutcome } from '../../../shared/machine/reason.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import { aRawOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld } from '../../builders/v1alpha1-world.ts';
import { aRival, atCheckpoint, aWorld, type World } from '../../builders/world.ts';
import { lines, planOf, whyOf } from './plans.ts';

// The plan of a deletion under way, ten seconds after it began. It goes on from where the deletion stands.

interface Given {
  checkpoint?: Partial<Checkpoint>;
  annotations?: Record<string, string>;
  /** `spec.deletion`. */
  limits?: object;
  status?: Record<string, unknown>;
}

function midway({ checkpoint, annotations, limits = {}, status = {} }: Given): World {
  return aWorld(
    aRawMachine({
      annotations: atCheckpoint(aCheckpoint(checkpoint), annotations),
      spec: { deletion: limits },
      status,
    }),
  );
}

const going: KubeObject = { ...pod('ns/web'), spec: { nodeName: 'node-1' } };
const done = (seconds: number) => ({ as: 'done', since: timeAfter(seconds) }) as const;
const detaching = { phase: 'volume-detach', since: timeAfter(9), passed: { drain: done(1) } } as const;
const volume = 'kubernetes.io/csi/d^1';

/** The drain has timed out, the wait for volumes is excluded, and the server goes. */
function aGoingServer(): World {
  const passed = {
    'pre-drain': done(0),
    drain: { as: 'timed-out', since: timeAfter(1) },
    'volume-detach': { as: 'excluded', since: timeAfter(6) },
  } as const;
  const annotations = { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' };
  return midway({
    checkpoint: { phase: 'infrastructure', since: timeAfter(8), seq: 4, passed },
    annotations,
  });
}

describe('phases that the deletion has left behind', () => {
  test('are shown as passed, and how', async () => {
    const plan = await planOf(aGoingServer());
    expect(plan.stands).toEqual({ phase: 'infrastructure', since: timeAfter(8) });
    expect(lines(plan)).toEqual([
      'pre-drain passed: it is done',
      'drain passed: its time was over',
      'volume-detach passed: the Machine was excluded from it',
      'pre-terminate passed: it is done',
      'infrastructure work: Server m-1 is deleted',
      'bootstrap work: Config m-1 is deleted',
      'node work: Node node-1 is deleted',
      'finalize work: the finalizer machine.cluster.x-k8s.io is removed',
    ]);
  });

  test('have no Pods judged any more, and no volumes looked for', async () => {
    const there = aGoingServer();
    there.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    there.workload.put('pods', going);
    expect(await planOf(there)).toMatchObject({
      pods: [],
      batches: [],
      refusals: [],
      volumes: [],
      message: '',
    });
    expect(there.workload.reads).toEqual(['get nodes/node-1']);
  });

  test('hold again where a hook was set late', async () => {
    const late = {
      'pre-drain.delete.hook.machine.cluster.x-k8s.io/late': '',
      'pre-terminate.delete.hook.machine.cluster.x-k8s.io/late': '',
    };
    const plan = await planOf(midway({ checkpoint: { phase: 'bootstrap' }, annotations: late }));
    expect(plan.phases.map(({ phase, does }) => `${phase} ${does}`)).toEqual([
      'pre-drain wait',
      'drain passed',
      'volume-detach passed',
      'pre-terminate wait',
      'infrastructure passed',
      'bootstrap work',
      'node work',
      'finalize work',
    ]);
  });

  test('stay passed whatever has come back since, but hooks', async () => {
    const there = midway({ checkpoint: { phase: 'bootstrap' } });
    const metadata = { namespace: 'default', name: 'm-1', deletionTimestamp: timeAfter(5) };
    there.management.put('servers', { metadata });
    expect(whyOf(await planOf(there), 'infrastructure')).toBe('infrastructure passed: it is done');
  });

  test('have nothing more to say: there is no message of a drain', async () => {
    const there = midway({ checkpoint: { ...detaching, since: timeAfter(9) } });
    there.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    expect((await planOf(there)).message).toBe('');
  });

  test('leave nothing to look at in the end', async () => {
    const there = midway({ checkpoint: { phase: 'finalize' } });
    there.workload.on('get nodes/node-1', () => {
      throw new Unavailable('the cluster has gone');
    });
    expect(whyOf(await planOf(there), 'node')).toBe('node passed: it is done');
    expect(there.workload.reads).toEqual([]);
  });
});

test('a deletion that has not begun stands nowhere', async () => {
  const plan = await planOf(aWorld());
  expect(plan).not.toHaveProperty('stands');
  expect(plan.phases.some(({ does }) => does === 'passed')).toBe(false);
});

test('what somebody else has written as a checkpoint counts for nothing', async () => {
  const plan = await planOf(midway({ checkpoint: { phase: 'node', uid: 'another' } }));
  expect(plan).not.toHaveProperty('stands');
  expect(whyOf(plan, 'drain')).toBe('drain pass: no Pod has to go');
});

describe('the time limit', () => {
  const limits = { nodeDrainTimeoutSeconds: 9, nodeVolumeDetachTimeoutSeconds: 9 };

  test.each<[when: string, given: Given, drain: string, batches: number]>([
    ['goes on', { checkpoint: { since: timeAfter(2) } }, 'drain work: 1 Pod has to go, in 1 batch', 1],
    [
      'is over',
      { checkpoint: { since: timeAfter(1) }, status: { deletion: { nodeDrainStartTime: timeAfter(1) } } },
      'drain skip: its timeout of 9s is over',
      0,
    ],
    [
      'begins with the first try, however long it was held before that',
      { checkpoint: { since: timeAfter(1) } },
      'drain work: 1 Pod has to go, in 1 batch',
      1,
    ],
    [
      'goes on from what another controller has written',
      { checkpoint: { phase: 'pre-drain' }, status: { deletion: { nodeDrainStartTime: timeAfter(1) } } },
      'drain skip: its timeout of 9s is over',
      0,
    ],
    [
      'begins when the phase does, not when the one before did',
      { checkpoint: { phase: 'pre-drain', since: timeAfter(-60) } },
      'drain work: 1 Pod has to go, in 1 batch',
      1,
    ],
    [
      'counts from now where a clock was ahead',
      { checkpoint: { since: timeAfter(3_600) } },
      'drain work: 1 Pod has to go, in 1 batch',
      1,
    ],
  ])('of the drain %s', async (_when, given, drain, batches) => {
    const world = midway({ limits, ...given });
    world.workload.put('pods', going);
    const plan = await planOf(world);
    expect(whyOf(plan, 'drain')).toBe(drain);
    expect(plan.batches).toHaveLength(batches);
  });

  test.each<[when: string, checkpoint: Partial<Checkpoint>, detach: string, names: string[], tried?: string]>(
    [
      [
        'goes on',
        { ...detaching, since: timeAfter(2) },
        'volume-detach wait: volumes are attached to the Node',
        [volume],
      ],
      [
        'is over',
        { ...detaching, since: timeAfter(1) },
        'volume-detach skip: its timeout of 9s is over',
        [],
        timeAfter(1),
      ],
      [
        'begins with the first try, however long it was held before that',
        { ...detaching, since: timeAfter(1) },
        'volume-detach wait: volumes are attached to the Node',
        [volume],
      ],
      [
        'begins with the wait, however long the drain has lasted',
        { since: timeAfter(1) },
        'volume-detach wait: volumes are attached to the Node',
        [volume],
      ],
      [
        'goes on after the Machine has gone back to the drain',
        { since: timeAfter(1), passed: { 'volume-detach': done(1) } },
        'volume-detach skip: its timeout of 9s is over',
        [],
      ],
    ],
  )('of the wait for volumes %s', async (_when, checkpoint, detach, names, tried) => {
    const deletion = { waitForNodeVolumeDetachStartTime: tried };
    const world = midway({ limits, checkpoint, ...(tried !== undefined && { status: { deletion } }) });
    world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    const plan = await planOf(world);
    expect(whyOf(plan, 'volume-detach')).toBe(detach);
    expect(plan.volumes.map(({ name }) => name)).toEqual(names);
  });

  test('where a clock was ahead is shown to begin now', async () => {
    const { stands } = await planOf(midway({ checkpoint: { since: timeAfter(3_600) } }));
    expect(stands).toEqual({ phase: 'drain', since: '2026-01-01T12:00:10.000Z' });
  });
});

test.each<[when: string, given: Given, startedAt: string]>([
  ['it lasts', { checkpoint: { since: timeAfter(4), reached: timeAfter(2) } }, '2026-01-01T12:00:04Z'],
  ['its first attempt comes now', { checkpoint: { since: timeAfter(4) } }, '2026-01-01T12:00:10Z'],
  [
    'it would last, where a clock was ahead',
    { checkpoint: { phase: 'pre-drain' }, status: { deletion: { nodeDrainStartTime: timeAfter(3_600) } } },
    '2026-01-01T12:00:10Z',
  ],
])('a drain is told since when %s', async (_when, given, startedAt) => {
  const world = midway(given);
  world.workload.put('pods', going);
  expect((await planOf(world)).message).toContain(`(started at ${startedAt})`);
});

test('a Node that somebody has uncordoned is cordoned by another drain, though no Pod has come', async () => {
  const world = midway({ checkpoint: detaching });
  world.workload.put('nodes', aNode({ unschedulable: false }));
  const plan = await planOf(world);
  expect(whyOf(plan, 'drain')).toBe('drain pass: no Pod has to go');
  expect(plan.stands).toMatchObject({ phase: 'volume-detach' });
});

test('no PersistentVolumes are read where nothing is attached, whatever is on the Node', async () => {
  const world = midway({ checkpoint: {} });
  world.workload.put('nodes', aNode({ unschedulable: false }));
  world.workload.put('pods', going);
  await planOf(world);
  expect(world.workload.reads).not.toContain('list persistentvolumes');
});

describe('Pods that have come to the Node while its volumes are waited for', () => {
  const timedOut = { drain: { as: 'timed-out', since: timeAfter(1) } } as const;
  const limits = { nodeDrainTimeoutSeconds: 9 };

  test.each<[which: string, given: Given, node: Parameters<typeof aNode>[0], drain: string]>([
    [
      'are drained where somebody has uncordoned it',
      { checkpoint: detaching },
      { unschedulable: false },
      'drain work: 1 Pod has to go, in 1 batch',
    ],
    [
      'are drained where volumes are attached',
      { checkpoint: detaching },
      { volumesAttached: [volume] },
      'drain work: 1 Pod has to go, in 1 batch',
    ],
    [
      'are drained after a long wait',
      { checkpoint: { ...detaching, since: timeAfter(1) } },
      {},
      'drain work: 1 Pod has to go, in 1 batch',
    ],
    [
      'are drained where the time to wait for volumes is over',
      { checkpoint: { ...detaching, since: timeAfter(1) }, limits: { nodeVolumeDetachTimeoutSeconds: 5 } },
      {},
      'drain work: 1 Pod has to go, in 1 batch',
    ],
    ['are not looked for just after the drain', { checkpoint: detaching }, {}, 'drain passed: it is done'],
    [
      'are drained after a drain that has timed out and has more time now',
      { checkpoint: { ...detaching, since: timeAfter(4), passed: timedOut } },
      { unschedulable: false },
      'drain work: 1 Pod has to go, in 1 batch',
    ],
    [
      'are left where the time of the drain is over by now',
      { checkpoint: detaching, limits },
      { unschedulable: false },
      'drain passed: it is done',
    ],
    [
      'are left after a drain that has timed out',
      { checkpoint: { ...detaching, since: timeAfter(4), passed: timedOut }, limits },
      { unschedulable: false, volumesAttached: [volume] },
      'drain passed: its time was over',
    ],
  ])('%s', async (_which, given, node, drain) => {
    const world = midway(given);
    world.workload.put('nodes', aNode(node));
    world.workload.put('pods', going);
    const plan = await planOf(world);
    expect(whyOf(plan, 'drain')).toBe(drain);
    expect(plan.batches).toEqual(drain.includes('work') ? [{ order: 0, pods: ['ns/web'] }] : []);
    expect(plan.stands).toMatchObject({ phase: 'volume-detach' });
  });
});

describe('what has come to the Node while its server was kept', () => {
  const passed = { drain: done(1), 'volume-detach': done(1) };
  const kept = { phase: 'infrastructure', since: timeAfter(2), passed } as const;

  test.each<
    [what: string, checkpoint: Partial<Checkpoint>, node: Parameters<typeof aNode>[0], which: string]
  >([
    ['a Pod is drained', kept, {}, 'drain work: 1 Pod has to go, in 1 batch'],
    [
      'a Pod is not looked for just after the wait for volumes',
      { ...kept, since: timeAfter(9) },
      {},
      'drain passed: it is done',
    ],
    [
      'a Pod is drained where a hook went that nobody has waited for',
      { ...kept, phase: 'pre-terminate' },
      {},
      'drain work: 1 Pod has to go, in 1 batch',
    ],
  ])('%s', async (_what, checkpoint, node, which) => {
    const world = midway({ checkpoint });
    world.workload.put('nodes', aNode(node));
    world.workload.put('pods', going);
    expect(whyOf(await planOf(world), 'drain')).toBe(which);
  });

  test('a Pod is not looked for while a hook holds the Machine', async () => {
    const hook = { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/own': '' };
    const world = midway({ checkpoint: { ...kept, phase: 'pre-terminate' }, annotations: hook });
    world.workload.put('pods', going);
    expect(whyOf(await planOf(world), 'drain')).toBe('drain passed: it is done');
  });

  test('volumes are waited for', async () => {
    const world = midway({ checkpoint: kept });
    world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    const plan = await planOf(world);
    expect([whyOf(plan, 'drain'), whyOf(plan, 'volume-detach')]).toEqual([
      'drain passed: it is done',
      'volume-detach wait: volumes are attached to the Node',
    ]);
  });
});

test('the bootstrap config that another Machine controls is left alone', async () => {
  const world = midway({ checkpoint: { phase: 'bootstrap' } });
  const controller = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', uid: 'u', controller: true };
  world.management.change('configs/default/m-1', {
    metadata: { ownerReferences: [{ ...controller, name: 'm-2' }] },
  });
  expect(whyOf(await planOf(world), 'bootstrap')).toBe(
    'bootstrap wait: Config m-1 is controlled by another Machine, m-2',
  );
});

describe('a Machine that goes without our finalizer', () => {
  const why = 'the finalizer machine.cluster.x-k8s.io is not on the Machine';

  test('as it was taken off waits for others, and nothing is left to do', async () => {
    const world = aGoingServer();
    const passed = { infrastructure: done(8), bootstrap: done(8), node: done(8) };
    const at = aCheckpoint({ phase: 'finalize', seq: 8, passed });
    world.management.change('machines/default/m-1', {
      metadata: { finalizers: ['a.example/b', 'c.example/d'], annotations: atCheckpoint(at) },
    });
    const { held, phases } = await planOf(world);
    expect(held).toEqual([
      {
        reason: 'DeletionCompleted',
        message: `${why}: those of others keep it: a.example/b, c.example/d`,
      },
    ]);
    expect(phases.map(({ does }) => does)).toEqual([...Array(7).fill('passed'), 'skip']);
    expect(phases.at(-1)).toEqual({ phase: 'finalize', does: 'skip', why });
  });

  test('as it never was on it is not touched, whatever is on its Node', async () => {
    const world = aWorld(aRawMachine({ metadata: { finalizers: ['a.example/b'] } }));
    world.workload.put('pods', going);
    const plan = await planOf(world);
    expect(plan.held).toEqual([
      { reason: 'Deleting', message: `${why}: those of others keep it: a.example/b` },
    ]);
    expect(new Set(plan.phases.map((each) => `${each.does}: ${each.why}`))).toEqual(
      new Set([`skip: ${why}`]),
    );
    expect(plan.pods).toEqual([]);
  });
});

test('a server that another Machine controls is left alone', async () => {
  const passed = { drain: done(1), 'volume-detach': done(1) };
  const world = midway({ checkpoint: { phase: 'infrastructure', since: timeAfter(2), passed } });
  const controller = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', uid: 'u', controller: true };
  world.management.change('servers/default/m-1', {
    metadata: { ownerReferences: [{ ...controller, name: 'm-2' }] },
  });
  expect(whyOf(await planOf(world), 'infrastructure')).toBe(
    'infrastructure wait: Server m-1 is controlled by another Machine, m-2',
  );
});

test('what is being deleted already is waited for', async () => {
  const world = midway({ checkpoint: { phase: 'infrastructure' } });
  for (const plural of ['servers', 'configs'])
    world.management.put(plural, {
      metadata: { namespace: 'default', name: 'm-1', deletionTimestamp: timeAfter(5), finalizers: ['a'] },
    });
  const plan = await planOf(world);
  expect([whyOf(plan, 'infrastructure'), whyOf(plan, 'bootstrap')]).toEqual([
    'infrastructure wait: Server m-1 is being deleted',
    'bootstrap wait: Config m-1 is being deleted',
  ]);
});

describe('the Node', () => {
  const inNode = (node?: string, drain: PhaseOutcome = 'done') =>
    midway({
      checkpoint: {
        phase: 'node',
        passed: { drain: { as: drain, since: timeAfter(1) } },
        ...(node !== undefined && { node }),
      },
    });
  const foreign =
    "node skip: Node node-1 is another server's and is left alone: it has providerID x://other; the Machine has x://m-1 and names no UID; Machine default/m-9 has this providerID; no Node has the Machine's providerID";

  test.each<[which: string, world: World, node: Parameters<typeof aNode>[0], expected: string]>([
    ['that was drained is deleted', inNode('node-uid-1'), {}, 'node work: Node node-1 is deleted'],
    [
      'that took the name of the drained one is left alone',
      inNode('node-uid-0'),
      {},
      'node skip: Node node-1 is another one than the Machine had: it is left alone',
    ],
    [
      'that is being deleted is not waited for',
      inNode('node-uid-1'),
      { deletionTimestamp: timeAfter(5) },
      'node pass: Node node-1 is being deleted, and nothing waits for its end',
    ],
    ['of another server is left alone', inNode(), { providerID: 'x://other' }, foreign],
    [
      'of another server that was only looked at is left alone',
      inNode('node-uid-1', 'excluded'),
      { providerID: 'x://other' },
      foreign,
    ],
    [
      'of another server that was drained is left alone: that it was drained is no evidence',
      inNode('node-uid-1'),
      { providerID: 'x://other' },
      foreign,
    ],
    [
      'of another server that a drain would come to is left alone',
      midway({ checkpoint: {} }),
      { providerID: 'x://other' },
      foreign,
    ],
    [
      'of another server that a drain would come to after its hooks, too',
      midway({ checkpoint: { phase: 'pre-drain' } }),
      { providerID: 'x://other' },
      foreign,
    ],
    [
      'of another server whose volumes are not to be waited for, too',
      midway({
        checkpoint: {},
        annotations: { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' },
      }),
      { providerID: 'x://other' },
      foreign,
    ],
    [
      'of another server whose volumes alone are to be waited for is left alone',
      midway({
        checkpoint: {},
        annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' },
      }),
      { providerID: 'x://other' },
      foreign,
    ],
  ])('%s', async (_which, world, node, expected) => {
    world.workload.put('nodes', aNode(node));
    world.management.put('machines', aRival());
    expect(whyOf(await planOf(world), 'node')).toBe(expected);
  });
});

describe('a Machine of v1alpha1', () => {
  const inNode = aRawOriginal({
    metadata: { annotations: atCheckpoint(aCheckpoint({ phase: 'node', since: timeAfter(3) })) },
  });
  const v1alpha1 = 'cluster.k8s.io/v1alpha1';

  test('goes on from where it stands', async () => {
    expect(lines(await planOf(anOriginalWorld(inNode), v1alpha1))).toEqual([
      'infrastructure passed: it is done',
      'node work: Node node-1 is deleted',
      'finalize work: the finalizer machine.cluster.k8s.io is removed',
    ]);
  });

  test('waits there for its Cluster', async () => {
    const world = anOriginalWorld(inNode);
    world.management.drop('clusters/default/c');
    const plan = await planOf(world, v1alpha1);
    expect(lines(plan)).toEqual([
      'infrastructure passed: it is done',
      'node wait: not without the Cluster',
      'finalize wait: not without the Cluster',
    ]);
    expect(plan.stands).toEqual({ phase: 'node', since: timeAfter(3) });
  });
});
