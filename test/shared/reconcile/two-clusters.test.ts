import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';
import { namespaces, nodes, volumeAttachments } from '../../../shared/kubernetes/resources.ts';
import type { Machine } from '../../../shared/machine/machine.ts';
import { nodeByProviderId } from '../../../shared/read/find-node.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { surroundingsOf } from '../../../shared/read/surroundings.ts';
import { heldAttachment } from '../../../shared/volumes/attachments.ts';
import { aCluster, aMachine } from '../../builders/cluster-api.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aRawOriginal } from '../../builders/v1alpha1.ts';
import { aWorld } from '../../builders/world.ts';

// One instance serves Machines of many clusters: what it remembers of one is nothing about another.

const here = aMachine();
const elsewhere: Machine = { ...here, ref: { ...here.ref, namespace: 'elsewhere', uid: 'uid-2' } };
const ofAnotherCluster: Machine = { ...here, clusterName: 'd' };

const isElsewhere = (workload: WorkloadRef): boolean =>
  workload.kind === 'cluster' && workload.namespace === 'elsewhere';

function twoClusters() {
  const world = aWorld();
  world.management.put('clusters', {
    ...aCluster(),
    metadata: { namespace: 'elsewhere', name: 'c' },
    spec: { paused: true },
  });
  world.management.put('clusters', { ...aCluster(), metadata: { namespace: 'default', name: 'd' } });
  const theirs = new FakeCluster([]);
  theirs.put('nodes', aNode({ uid: 'their-node', providerID: 'x://m-0' }));
  world.workload.put('namespaces', { metadata: { name: 'ours' } });
  theirs.put('namespaces', { metadata: { name: 'theirs' } });
  world.workload.put('volumeattachments', { metadata: { name: 'ours' } });
  theirs.put('volumeattachments', { metadata: { name: 'theirs' } });
  theirs.put('nodes', aNode({ name: 'their-1', providerID: 'x://m-1' }));
  theirs.put('nodes', aNode({ name: 'their-2', providerID: 'x://m-2' }));
  world.env.workloads = { of: async (workload) => (isElsewhere(workload) ? theirs : world.workload) };
  return world;
}

describe('two clusters of one name in two namespaces', () => {
  test('are paused each for itself', async () => {
    const { env } = twoClusters();
    const pauses = [];
    for (const machine of [here, elsewhere]) {
      const surroundings = await surroundingsOf(env, machine, clusterApi, { nodeDeletion: false });
      pauses.push(clusterApi.pausedBy(machine, surroundings).length);
    }
    expect(pauses).toEqual([0, 1]);
  });

  test('have each its own Nodes', async () => {
    const { env } = twoClusters();
    const kept = { maxAgeMilliseconds: 5_000, good: () => true };
    const uids = [];
    for (const machine of [here, elsewhere]) {
      const node = await openSnapshot(env, aSubject({ machine })).recentGet(
        'workload',
        nodes,
        { name: 'node-1' },
        kept,
      );
      uids.push(node?.metadata.uid);
    }
    expect(uids).toEqual(['node-uid-1', 'their-node']);
  });

  test('have each its own Nodes to look for by providerID', async () => {
    const { env } = twoClusters();
    const names = [];
    for (const machine of [here, elsewhere]) {
      const { nodeName: _, ...nameless } = machine;
      names.push(await nodeByProviderId(env, nameless, clusterApi));
    }
    expect(names).toEqual([
      { kind: 'named', name: 'node-1' },
      { kind: 'named', name: 'their-1' },
    ]);
  });

  test('have each its own VolumeAttachments, also where all ask at the same time', async () => {
    const { env } = twoClusters();
    const lists = await Promise.all(
      [here, elsewhere, here].map((machine) =>
        openSnapshot(env, aSubject({ machine })).sharedList('workload', volumeAttachments, heldAttachment),
      ),
    );
    expect(lists.map(({ items }) => items.map(({ metadata }) => metadata.name))).toEqual([
      ['ours'],
      ['theirs'],
      ['ours'],
    ]);
  });

  test('have each its own Namespaces, whose labels rules ask for', async () => {
    const { env } = twoClusters();
    const names = [];
    for (const machine of [here, elsewhere]) {
      const { items } = await openSnapshot(env, aSubject({ machine })).recentList(
        'workload',
        namespaces,
        {},
        10_000,
      );
      names.push(...items.map(({ metadata }) => metadata.name));
    }
    expect(names).toEqual(['ours', 'theirs']);
  });

  test('have each its own infrastructure, which knows the providerID', async () => {
    const { env, management } = twoClusters();
    management.put('servers', { metadata: { namespace: 'elsewhere', name: 'm-1' } });
    for (const [namespace, providerID] of [
      ['default', 'x://m-1'],
      ['elsewhere', 'x://m-2'],
    ] as const)
      management.change(`servers/${namespace}/m-1`, { spec: { providerID } });
    const names = [];
    for (const { providerId: _, nodeName: __, ...machine } of [here, elsewhere]) {
      const { namespace } = machine.ref;
      const server = { group: 'infra.example', kind: 'Server', namespace, name: 'm-1' };
      names.push(await nodeByProviderId(env, { ...machine, infrastructure: server }, clusterApi));
    }
    expect(names).toEqual([
      { kind: 'named', name: 'node-1' },
      { kind: 'named', name: 'their-2' },
    ]);
  });

  test('have each its own control plane', async () => {
    const { env, management } = twoClusters();
    const controlPlaneRef = { apiGroup: 'cp.example', kind: 'ControlPlane', name: 'cp' };
    management.put('controlplanes', { metadata: { namespace: 'elsewhere', name: 'cp' } });
    for (const namespace of ['default', 'elsewhere'])
      management.change(`clusters/${namespace}/c`, { spec: { controlPlaneRef } });
    const kinds = [];
    for (const machine of [here, elsewhere]) {
      const { controlPlane } = await surroundingsOf(env, machine, clusterApi, { nodeDeletion: true });
      kinds.push(controlPlane.kind);
    }
    expect(kinds).toEqual(['absent', 'present']);
  });

  test('have each its own members of the control plane', async () => {
    const { env } = twoClusters();
    const counts = [];
    for (const machine of [here, elsewhere]) {
      const surroundings = await surroundingsOf(env, machine, clusterApi, { nodeDeletion: true });
      counts.push(surroundings.controlPlaneMembers);
    }
    expect(counts).toEqual([3, 0]);
  });

  test('have each its own cordoned Nodes', async () => {
    const { env } = twoClusters();
    openSnapshot(env, aSubject({ machine: here })).rememberCordon('node-1', 'node-uid-1');
    expect(openSnapshot(env, aSubject({ machine: here })).cordonedNode('node-1')).toBe('node-uid-1');
    expect(openSnapshot(env, aSubject({ machine: elsewhere })).cordonedNode('node-1')).toBeUndefined();
  });

  test('have each the rules of its own namespace', async () => {
    const { env, management } = twoClusters();
    management.put('machinedrainrules', { metadata: { namespace: 'elsewhere', name: 'skip' } });
    const snapshot = openSnapshot(env, aSubject());
    expect(await snapshot.drainRules('default', 10_000)).toHaveLength(0);
    expect(await snapshot.drainRules('elsewhere', 10_000)).toHaveLength(1);
  });
});

test('two clusters of one name in two Machine APIs are looked at each for itself', async () => {
  const { env, management } = twoClusters();
  const original = originalApi.read(aRawOriginal());
  expect(original).toMatchObject({ clusterName: 'c', ref: { namespace: 'default' } });
  await surroundingsOf(env, here, clusterApi, { nodeDeletion: false });
  await surroundingsOf(env, original, originalApi, { nodeDeletion: false });
  expect(management.reads).toEqual(['get clusters/default/c', 'get clusters/default/c']);
});

test('two clusters of one namespace are counted each for itself', async () => {
  const { env } = twoClusters();
  const counts = [];
  for (const machine of [here, ofAnotherCluster]) {
    const { controlPlaneMembers } = await surroundingsOf(env, machine, clusterApi, { nodeDeletion: true });
    counts.push(controlPlaneMembers);
  }
  expect(counts).toEqual([3, 0]);
});

test('two clusters share what was read in the cluster that has their Machines', async () => {
  const { env, management } = twoClusters();
  for (const machine of [here, ofAnotherCluster])
    await openSnapshot(env, aSubject({ machine })).recentList('management', nodes, {}, 5_000);
  expect(management.reads).toEqual(['list nodes']);
});

test.each([
  ['kind', { apiGroup: 'infra.example', kind: 'Pool' }, 'pools'],
  ['group', { apiGroup: 'other.example', kind: 'Server' }, 'others'],
])(
  'two clusters whose control planes have one name and another %s have each its own',
  async (_what, other, plural) => {
    const { env, management } = twoClusters();
    management.change('clusters/default/c', {
      spec: { controlPlaneRef: { apiGroup: 'infra.example', kind: 'Server', name: 'm-1' } },
    });
    management.change('clusters/default/d', { spec: { controlPlaneRef: { ...other, name: 'm-1' } } });
    management.put(plural, { metadata: { namespace: 'default', name: 'm-1', labels: { of: 'd' } } });
    const labels = [];
    for (const machine of [here, ofAnotherCluster]) {
      const { controlPlane } = await surroundingsOf(env, machine, clusterApi, { nodeDeletion: true });
      labels.push(
        controlPlane.kind === 'present' ? controlPlane.object.metadata.labels?.['of'] : controlPlane.kind,
      );
    }
    expect(labels).toEqual([undefined, 'd']);
  },
);
