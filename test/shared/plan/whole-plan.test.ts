import { describe, expect, test } from 'vitest';
import { aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { budget, pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';
import { lines, planOf } from './plans.ts';

// Cluster API has all phases: what each would do, and all that is said of Pods and volumes.

const onNode = (name: string, app: string) => ({
  ...pod(name, { labels: { app } }),
  spec: { nodeName: 'node-1' },
});

/** Web Pods behind a closed budget go first, the database after them; volumes of every kind are attached. */
function aBusyWorld(): World {
  const world = aWorld();
  const { workload, management } = world;
  workload.put('pods', onNode('ns/web', 'web'));
  workload.put('pods', onNode('other/cache', 'cache'));
  workload.put('pods', onNode('ns/db', 'db'));
  workload.put('poddisruptionbudgets', budget('web', { status: { expectedPods: 2, desiredHealthy: 1 } }));
  management.put('machinedrainrules', {
    metadata: { namespace: 'default', name: 'late' },
    spec: { drain: { behavior: 'Drain', order: 5 }, pods: [{ selector: { matchLabels: { app: 'db' } } }] },
  });
  const attached = ['kubernetes.io/csi/d^1', 'kubernetes.io/csi/d^2', 'kubernetes.io/csi/d^3'];
  workload.put('nodes', aNode({ volumesAttached: attached }));
  workload.put('persistentvolumes', {
    metadata: { name: 'pv-1' },
    spec: {
      csi: { driver: 'd', volumeHandle: '1' },
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'ns', name: 'data' },
    },
  });
  workload.put('persistentvolumes', {
    metadata: { name: 'pv-2' },
    spec: { csi: { driver: 'd', volumeHandle: '2' } },
  });
  workload.put('volumeattachments', {
    metadata: { name: 'a' },
    spec: { nodeName: 'node-1', source: { persistentVolumeName: 'pv-9' } },
    status: { attached: true },
  });
  return world;
}

const refusal =
  "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 0 currently";

test('the plan says everything that will be done, and why what is not', async () => {
  const world = aBusyWorld();
  const plan = await planOf(world);
  expect(lines(plan)).toEqual([
    'pre-drain pass: no pre-drain hook holds it',
    'drain work: 3 Pods have to go, in 2 batches',
    'volume-detach wait: volumes are attached to the Node',
    'pre-terminate pass: no pre-terminate hook holds it',
    'infrastructure work: Server m-1 is deleted',
    'bootstrap work: Config m-1 is deleted',
    'node work: Node node-1 is deleted',
    'finalize work: the finalizer machine.cluster.x-k8s.io is removed',
  ]);
  const byDefault = { behavior: 'Drain', order: 0, decidedBy: 'default', warnings: [] };
  expect({ ...plan, phases: [] }).toEqual({
    machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' },
    held: [],
    phases: [],
    pods: [
      { namespace: 'ns', name: 'web', ...byDefault },
      { namespace: 'other', name: 'cache', ...byDefault },
      { namespace: 'ns', name: 'db', ...byDefault, order: 5, decidedBy: 'MachineDrainRule late' },
    ],
    batches: [
      { order: 0, pods: ['ns/web', 'other/cache'] },
      { order: 5, pods: ['ns/db'] },
    ],
    refusals: [{ pod: 'ns/web', cause: 'BudgetExhausted', message: refusal, budget: 'ns/web' }],
    volumes: [
      { kind: 'PersistentVolumeClaim', name: 'ns/data' },
      { kind: 'PersistentVolume', name: 'pv-2' },
      { kind: 'NodeVolume', name: 'kubernetes.io/csi/d^3' },
      { kind: 'VolumeAttachment', name: 'a', persistentVolume: 'pv-9' },
    ],
    hooks: [],
    message: [
      'Drain not completed yet (started at 2026-01-01T12:00:10Z):',
      '* Pod other/cache: deletionTimestamp set, but still not removed from the Node',
      `* Pod ns/web: ${refusal.replace('Cannot', 'cannot')}`,
      'After above Pods have been removed from the Node, the following Pods will be evicted: ns/db',
    ].join('\n'),
  });
  expect(world.log).toEqual([]);
  // Only those of the namespaces that Pods would be evicted from.
  expect(world.workload.reads.filter((each) => each === 'list poddisruptionbudgets')).toHaveLength(2);
});

test('a Pod that two budgets guard is refused, and neither is named', async () => {
  const world = aBusyWorld();
  world.workload.put('poddisruptionbudgets', budget('all', { spec: { selector: {} } }));
  expect((await planOf(world)).refusals).toStrictEqual([
    {
      pod: 'ns/web',
      cause: 'MultipleBudgets',
      message:
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    },
  ]);
});

/** The claim ns/data is attached, and one Pod uses it. */
function aWorldWhereUsed(parts: object, nodeName = 'node-1'): World {
  const world = aBusyWorld();
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  world.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd' } });
  world.workload.put('pods', { ...pod('ns/user', parts), spec: { nodeName, volumes } });
  return world;
}

describe('the volumes of a Pod', () => {
  const ofDaemonSet = { owner: { kind: 'DaemonSet', name: 'd' } };

  test.each<[which: string, world: World, isWaitedFor: boolean]>([
    ['that stays are not waited for', aWorldWhereUsed(ofDaemonSet), false],
    ['that stays on another Node are', aWorldWhereUsed(ofDaemonSet, 'node-2'), true],
    ['that should have gone by now are', aWorldWhereUsed({ deletionTimestamp: timeAfter(1) }), true],
  ])('%s', async (_which, world, isWaitedFor) => {
    const { volumes } = await planOf(world);
    expect(volumes.some(({ name }) => name === 'ns/data')).toBe(isWaitedFor);
  });
});

test.each<[heard: string, ready: 'True' | 'Unknown', behavior: string]>([
  ['hears from', 'True', 'Drain'],
  ['does not hear from', 'Unknown', 'Skip'],
])('a Pod that should have gone by now, on a Node that one %s', async (_heard, ready, behavior) => {
  const world = aWorld();
  world.workload.put('nodes', aNode({ ready }));
  const going = pod('ns/a', { deletionTimestamp: timeAfter(1) });
  world.workload.put('pods', { ...going, spec: { nodeName: 'node-1' } });
  expect((await planOf(world)).pods).toMatchObject([{ behavior }]);
});

test('a drain that has begun is told since when', async () => {
  const world = aBusyWorld();
  const status = { deletion: { nodeDrainStartTime: timeAfter(3) } };
  world.management.change('machines/default/m-1', { status });
  expect((await planOf(world)).message).toContain('(started at 2026-01-01T12:00:03Z)');
});

describe('what does not exist is passed', () => {
  test.each<[what: string, without: (world: World) => void, expected: string[]]>([
    [
      'the Node',
      ({ workload }) => workload.drop('nodes/node-1'),
      [
        'drain pass: the Node does not exist',
        'volume-detach pass: the Node does not exist',
        'node pass: the Node does not exist',
      ],
    ],
    [
      'the Pods',
      () => undefined,
      ['drain pass: no Pod has to go', 'volume-detach pass: no volume has to come off'],
    ],
    [
      'the infrastructure',
      ({ management }) => management.drop('servers/default/m-1'),
      ['infrastructure pass: Server m-1 does not exist'],
    ],
    [
      'the bootstrap config',
      ({ management }) => management.drop('configs/default/m-1'),
      ['bootstrap pass: Config m-1 does not exist'],
    ],
  ])('%s', async (_, without, expected) => {
    const world = aWorld();
    without(world);
    const plan = await planOf(world);
    expect(lines(plan)).toEqual(expect.arrayContaining(expected));
    expect(plan).toMatchObject({ pods: [], batches: [], refusals: [], volumes: [], message: '' });
  });
});

test('a Machine without a bootstrap config has none deleted', async () => {
  const plan = await planOf(aWorld(aRawMachine({ spec: { bootstrap: {} } })));
  expect(lines(plan)).toContain('bootstrap skip: the Machine refers to none');
});

test('a Node that must be left is skipped by its phases', async () => {
  const world = aBusyWorld();
  world.management.put('clusters', {
    metadata: { namespace: 'default', name: 'c', deletionTimestamp: timeAfter(0), finalizers: ['a'] },
  });
  const plan = await planOf(world);
  expect(lines(plan)).toEqual(
    expect.arrayContaining([
      'drain skip: cluster is being deleted',
      'volume-detach skip: cluster is being deleted',
      'node skip: cluster is being deleted',
    ]),
  );
  expect(plan).toMatchObject({ pods: [], batches: [], refusals: [], volumes: [], message: '' });
  expect(world.workload.reads).toEqual([]);
});

test('nothing can be told of volumes where one attachment names none', async () => {
  const world = aBusyWorld();
  world.workload.put('volumeattachments', {
    metadata: { name: 'b' },
    spec: { nodeName: 'node-1', source: {} },
    status: { attached: true },
  });
  const plan = await planOf(world);
  expect(lines(plan)).toContainEqual(expect.stringContaining('volume-detach wait: '));
  expect(plan.volumes).toEqual([]);
});
