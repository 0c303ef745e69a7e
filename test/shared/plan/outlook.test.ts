import { describe, expect, test } from 'vitest';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { anActuator } from '../../builders/actuator.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { aRawMachine as aRawOpenShiftMachine } from '../../builders/openshift.ts';
import { bare, budget, pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import { aRawOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld } from '../../builders/v1alpha1-world.ts';
import { aWorld, type World } from '../../builders/world.ts';
import { planOf } from './plans.ts';

const ofOpenShift = (world: World) => planOf(world, 'machine.openshift.io/v1beta1');

function anOpenShiftWorld(): World {
  const world = aWorld(aRawOpenShiftMachine());
  Object.assign(world.env, { dialects: [openShift], actuator: anActuator() });
  return world;
}

const since = '2026-01-01T11:00:00Z';
const unreachableNode = (volumesAttached: string[] = []): KubeObject => {
  const node = aNode({ volumesAttached });
  const conditions = [{ type: 'Ready', status: 'Unknown', lastTransitionTime: since }];
  return { ...node, status: { ...node.status, conditions } };
};

const onNode = (made: KubeObject, spec: object = {}): KubeObject => ({
  ...made,
  spec: { nodeName: 'node-1', ...spec },
});

const drainedOtherwise = [
  'evictions ask for a grace period of 1 s',
  'a Pod that is on its way is left behind 2 s after it was to be gone, and its containers may run until the server is gone',
  'a disruption budget that refuses an eviction still holds the drain',
];

describe('that the Node is unreachable is said, since when, and what it changes', () => {
  test('in Cluster API', async () => {
    const world = aWorld();
    world.workload.put('nodes', unreachableNode());
    world.workload.put('pods', onNode(pod('ns/web')));
    expect((await planOf(world)).unreachable).toEqual({
      node: 'node-1',
      since,
      changes: [...drainedOtherwise, 'volumes are not waited for'],
    });
  });

  test('in OpenShift', async () => {
    const world = anOpenShiftWorld();
    world.workload.put('nodes', unreachableNode());
    world.workload.put('pods', onNode(pod('ns/web')));
    expect((await ofOpenShift(world)).unreachable?.changes).toEqual([
      ...drainedOtherwise,
      'Pods that are on their way already are evicted again with that grace period',
    ]);
  });

  test('and a Pod that is hurried there still has to go', async () => {
    const world = anOpenShiftWorld();
    world.workload.put('nodes', unreachableNode());
    const going = pod('ns/web');
    const metadata = {
      ...going.metadata,
      deletionTimestamp: '2026-01-01T12:05:00Z',
      deletionGracePeriodSeconds: 300,
    };
    world.workload.put('pods', onNode({ ...going, metadata }));
    const { phases, message } = await ofOpenShift(world);
    expect(phases.find(({ phase }) => phase === 'drain')).toEqual({
      phase: 'drain',
      does: 'work',
      why: '1 Pod has to go, in 1 batch',
    });
    expect(message).toContain('Pod ns/web: deletionTimestamp set');
  });

  test('in v1alpha1, which neither drains nor waits for volumes', async () => {
    const world = anOriginalWorld(aRawOriginal());
    world.workload.put('nodes', unreachableNode());
    const { unreachable } = await planOf(world, 'cluster.k8s.io/v1alpha1');
    expect(unreachable).toEqual({ node: 'node-1', since, changes: [] });
  });

  test('also where it does not say since when', async () => {
    const world = aWorld();
    world.workload.put('nodes', aNode({ ready: 'Unknown' }));
    expect((await planOf(world)).unreachable).toEqual({
      node: 'node-1',
      changes: ['volumes are not waited for'],
    });
  });

  test.each(['True', 'False'] as const)('and nothing where its kubelet says %s', async (ready) => {
    const world = aWorld();
    world.workload.put('nodes', aNode({ ready }));
    expect((await planOf(world)).unreachable).toBeUndefined();
  });
});

const attachment = (name: string, persistentVolumeName: string, status: object = {}): KubeObject => ({
  metadata: { name },
  spec: { attacher: 'd', nodeName: 'node-1', source: { persistentVolumeName } },
  status: { attached: true, ...status },
});

const aVolume = (name: string, claim: string): KubeObject => ({
  metadata: { name },
  spec: { claimRef: { kind: 'PersistentVolumeClaim', namespace: 'ns', name: claim } },
});

const withVolumes = (
  world: World,
  node = aNode({ volumesAttached: ['kubernetes.io/csi/d^1', 'in-tree'] }),
): World => {
  world.workload.put('nodes', node);
  world.workload.put('volumeattachments', attachment('csi-1', 'pv-1'));
  return world;
};

const allOf = (why: string) => [
  { kind: 'VolumeAttachment', name: 'csi-1', persistentVolume: 'pv-1', why },
  { kind: 'NodeVolume', name: 'in-tree', why },
];

describe('volumes that are attached and not waited for are named', () => {
  test('where the Node is unreachable', async () => {
    const world = withVolumes(aWorld(), unreachableNode(['kubernetes.io/csi/d^1', 'in-tree']));
    expect((await planOf(world)).unawaited).toEqual(allOf('the Node is unreachable'));
  });

  test('where the Machine is excluded from the wait', async () => {
    const exclusion = 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach';
    const world = withVolumes(aWorld(aRawMachine({ annotations: { [exclusion]: '' } })));
    expect((await planOf(world)).unawaited).toEqual(allOf(`Machine has the ${exclusion} annotation`));
  });

  test('in OpenShift, which waits for none', async () => {
    const { unawaited, volumes } = await ofOpenShift(withVolumes(anOpenShiftWorld()));
    expect({ unawaited, volumes }).toEqual({
      unawaited: allOf('the API does not wait for volumes'),
      volumes: [],
    });
  });

  test('where Pods that use them stay', async () => {
    const world = withVolumes(aWorld(), aNode());
    world.workload.put('persistentvolumes', aVolume('pv-1', 'data'));
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
    world.workload.put(
      'pods',
      onNode(pod('ns/stays', { labels: { 'cluster.x-k8s.io/drain': 'skip' } }), { volumes }),
    );
    const plan = await planOf(world);
    expect({ unawaited: plan.unawaited, volumes: plan.volumes }).toEqual({
      unawaited: [
        { kind: 'PersistentVolumeClaim', name: 'ns/data', why: 'it is of a Pod that stays: ns/stays' },
      ],
      volumes: [],
    });
  });

  test('where VolumeAttachments do not count', async () => {
    const world = withVolumes(aWorld(aRawMachine(), { considerVolumeAttachments: false }), aNode());
    expect((await planOf(world)).unawaited).toEqual([
      {
        kind: 'VolumeAttachment',
        name: 'csi-1',
        persistentVolume: 'pv-1',
        why: 'VolumeAttachments do not count here (PHASEOUT_CONSIDER_VOLUME_ATTACHMENTS)',
      },
    ]);
  });

  test('by the Node alone where VolumeAttachments cannot be listed', async () => {
    const world = withVolumes(anOpenShiftWorld());
    const list = world.workload.list.bind(world.workload);
    world.workload.list = async (resource, selection) => {
      if (resource.plural === 'volumeattachments') throw new Unavailable('forbidden');
      return list(resource, selection);
    };
    expect((await ofOpenShift(world)).unawaited?.map(({ name }) => name)).toEqual([
      'kubernetes.io/csi/d^1',
      'in-tree',
    ]);
  });

  test('and none where all are waited for', async () => {
    expect((await planOf(withVolumes(aWorld()))).unawaited).toBeUndefined();
  });
});

describe('a VolumeAttachment that is waited for', () => {
  const detachError = { message: 'rpc error:\n volume not found', time: since };

  test('has its own name, its PersistentVolume and its detach error where that volume is gone', async () => {
    const world = aWorld();
    world.workload.put('volumeattachments', attachment('csi-stale', 'pvc-gone', { detachError }));
    expect((await planOf(world)).volumes).toEqual([
      {
        kind: 'VolumeAttachment',
        name: 'csi-stale',
        persistentVolume: 'pvc-gone',
        detachError: 'rpc error: volume not found',
      },
    ]);
  });

  test('is named beside the claim of its volume where detaching failed', async () => {
    const world = aWorld();
    world.workload.put('persistentvolumes', aVolume('pv-1', 'data'));
    world.workload.put('volumeattachments', attachment('csi-1', 'pv-1', { detachError }));
    expect((await planOf(world)).volumes).toEqual([
      {
        kind: 'PersistentVolumeClaim',
        name: 'ns/data',
        attachment: 'csi-1',
        detachError: 'rpc error: volume not found',
      },
    ]);
  });
});

describe('a namespace that is being deleted', () => {
  const message =
    'Some content in the namespace has finalizers remaining: example.com/x in 1 resource instances';
  const terminating: KubeObject = {
    metadata: { name: 'ns', deletionTimestamp: since },
    status: {
      phase: 'Terminating',
      conditions: [
        { type: 'NamespaceFinalizersRemaining', status: 'True', message },
        { type: 'NamespaceContentRemaining', status: 'False', message: 'All content successfully removed' },
      ],
    },
  };

  const aTerminatingWorld = (world = aWorld()): World => {
    world.workload.put('namespaces', terminating);
    world.workload.put('pods', onNode(pod('ns/web', { labels: { app: 'web' } })));
    return world;
  };

  test.each<[api: string, world: () => World, plan: typeof ofOpenShift]>([
    ['Cluster API', aWorld, (world) => planOf(world)],
    ['OpenShift', anOpenShiftWorld, ofOpenShift],
  ])('is named, and the evictions from it are refused: %s', async (_api, world, plan) => {
    const { namespaces, refusals } = await plan(aTerminatingWorld(world()));
    expect({ namespaces, refusals }).toEqual({
      namespaces: [{ name: 'ns', reason: 'NamespaceTerminating', since, remaining: [message] }],
      refusals: [
        {
          pod: 'ns/web',
          cause: 'NamespaceTerminating',
          message:
            'Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)',
        },
      ],
    });
  });

  test('is asked before any budget', async () => {
    const world = aTerminatingWorld();
    world.workload.put('poddisruptionbudgets', budget('web'));
    expect((await planOf(world)).refusals.map(({ cause }) => cause)).toEqual(['NamespaceTerminating']);
  });

  test('is named where all of its Pods are on their way already', async () => {
    const world = aTerminatingWorld();
    world.workload.put('pods', onNode(pod('ns/web', { deletionTimestamp: since })));
    const { namespaces = [], refusals } = await planOf(world);
    expect({ names: namespaces.map(({ name }) => name), refusals }).toEqual({ names: ['ns'], refusals: [] });
  });

  test('refuses nothing while it lives', async () => {
    const world = aTerminatingWorld();
    world.workload.put('namespaces', { metadata: { name: 'ns' } });
    const { namespaces, refusals } = await planOf(world);
    expect({ namespaces, refusals }).toEqual({ namespaces: undefined, refusals: [] });
  });
});

describe('Pods that tolerate the cordon and will come back are named with their toleration', () => {
  const forAll = { operator: 'Exists' };

  test.each<[api: string, world: () => World, plan: typeof ofOpenShift]>([
    ['Cluster API', aWorld, (world) => planOf(world)],
    ['OpenShift', anOpenShiftWorld, ofOpenShift],
  ])('in %s', async (_api, world, plan) => {
    const there = world();
    there.workload.put('pods', onNode(pod('ns/agent'), { tolerations: [forAll] }));
    there.workload.put('pods', onNode(pod('ns/web')));
    expect((await plan(there)).returning).toEqual([{ pod: 'ns/agent', toleration: forAll }]);
  });

  test.each<[what: string, made: KubeObject]>([
    ['has no controller', bare('ns/agent')],
    ['has run to its end', pod('ns/agent', { phase: 'Succeeded' })],
    ['is of a DaemonSet that is gone', pod('ns/agent', { owner: { kind: 'DaemonSet', name: 'd' } })],
    ['stays', pod('ns/agent', { labels: { 'cluster.x-k8s.io/drain': 'skip' } })],
    ['is waited for', pod('ns/agent', { labels: { 'cluster.x-k8s.io/drain': 'wait-completed' } })],
  ])('but none that %s', async (_what, made) => {
    const world = aWorld();
    world.workload.put('pods', onNode(made, { tolerations: [forAll] }));
    expect((await planOf(world)).returning).toBeUndefined();
  });
});
