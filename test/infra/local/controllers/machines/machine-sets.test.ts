import { afterEach, describe, expect, it } from 'vitest';
import { customResourceDefinition } from '../../../../../infra/local/kubernetes/crds/definition.ts';
import { machineSets } from '../../../../../infra/local/kubernetes/crds/machine-sets.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Platform } from '../platform.ts';
import {
  aClusterApiMachine,
  aClusterApiSet,
  aFleet,
  aLoadedNode,
  anOpenShiftMachine,
  anOpenShiftSet,
  aV1alpha1Machine,
  aV1alpha1Set,
  templates,
} from './fleet.ts';

let platform: Platform;
afterEach(() => platform.stop());

const apis = [
  { api: 'Cluster API', group: 'cluster.x-k8s.io', aMachine: aClusterApiMachine, aSet: aClusterApiSet },
  { api: 'OpenShift', group: 'machine.openshift.io', aMachine: anOpenShiftMachine, aSet: anOpenShiftSet },
  { api: 'v1alpha1', group: 'cluster.k8s.io', aMachine: aV1alpha1Machine, aSet: aV1alpha1Set },
];
type Api = (typeof apis)[number];

const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name);
const machines = ({ group }: Api) => platform.list(`machines.${group}`);
const staying = (api: Api) =>
  machines(api).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
const going = (api: Api) => machines(api).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
const made = (api: Api) => staying(api).filter(({ metadata }) => metadata.name.startsWith('set-'));

function load(api: Api, { replicas = 3, set = {}, owned = [] as KubeObject[] }) {
  const loadedSet = api.aSet('set', { ...set, spec: { replicas, ...(set as { spec?: object }).spec } });
  platform = aFleet({ loaded: [...templates, loadedSet, ...owned] });
}

const three = (api: Api) => ['a', 'b', 'c'].map((name) => api.aMachine(name, { owner: 'set' }));

describe.each(apis)('a MachineSet of $api', (api) => {
  it('replaces a Machine as soon as it is asked to go', async () => {
    load(api, { owned: three(api) });
    await platform.seconds(1);
    expect(names(machines(api))).toEqual(['a', 'b', 'c']);
    platform.remove(`machines.${api.group}`, 'b');
    await platform.seconds(0.1);
    expect(names(going(api))).toEqual(['b']);
    expect(made(api)).toHaveLength(1);
    expect(names(made(api))[0]).toMatch(/^set-[a-z0-9]{5}$/);
    await platform.seconds(60);
    expect(machines(api)).toHaveLength(4);
  });

  it('makes Machines of its template that are its own', async () => {
    load(api, { replicas: 1 });
    await platform.seconds(0.1);
    const [machine] = machines(api);
    expect(machine?.metadata.labels).toMatchObject({ role: 'worker' });
    expect(machine?.metadata.ownerReferences).toEqual([
      {
        apiVersion: platform.get(`machinesets.${api.group}`, 'set')?.apiVersion,
        kind: 'MachineSet',
        name: 'set',
        uid: 'uid-set',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  it('lets the first go that its policy names when it is scaled down', async () => {
    const owned = [
      api.aMachine('young', { owner: 'set', created: '2025-12-31T00:00:00Z' }),
      api.aMachine('old', { owner: 'set', created: '2025-01-01T00:00:00Z' }),
      api.aMachine('middle', { owner: 'set', created: '2025-12-01T00:00:00Z' }),
    ];
    const policy = api.api === 'Cluster API' ? { deletion: { order: 'Oldest' } } : { deletePolicy: 'Oldest' };
    load(api, { replicas: 2, set: { spec: policy }, owned });
    await platform.seconds(1);
    expect(names(going(api))).toEqual(['old']);
  });

  it('counts those that have a Ready Node', async () => {
    const loaded = [
      api.aSet('set', { spec: { replicas: 3 } }),
      ...three(api),
      aLoadedNode('a'),
      aLoadedNode('b', { ready: 'False' }),
    ];
    platform = aFleet({ loaded });
    await platform.seconds(1);
    const status = () => platform.get(`machinesets.${api.group}`, 'set')?.status;
    expect(status()).toMatchObject({
      replicas: 3,
      readyReplicas: 1,
      availableReplicas: 1,
      observedGeneration: 1,
      ...(api.api === 'Cluster API' ? { upToDateReplicas: 3 } : { fullyLabeledReplicas: 3 }),
    });
    platform.setReady('b', 'True');
    await platform.seconds(1);
    expect(status()).toMatchObject({ replicas: 3, readyReplicas: 2, availableReplicas: 2 });
  });

  it('does nothing more once it is deleted itself', async () => {
    const set = { finalizers: ['example.com/kept'], deletionTimestamp: '2026-01-01T00:00:00Z' };
    load(api, { replicas: 3, set });
    await platform.seconds(10);
    expect(machines(api)).toEqual([]);
  });

  it('leaves Machines alone that are somebody else’s', async () => {
    const other = api.aSet('other', { spec: { replicas: 1 } });
    const others = [other, api.aMachine('theirs', { owner: 'other' }), api.aMachine('nobodys')];
    load(api, { replicas: 0, owned: others });
    await platform.seconds(1);
    expect(going(api)).toEqual([]);
  });

  it('takes Machines of nobody that it selects as its own, and makes only what is missing then', async () => {
    const labels = { role: 'worker' };
    const theirs = api.aSet('other', { spec: { replicas: 1, selector: { matchLabels: { role: 'other' } } } });
    const owned = [
      api.aMachine('a', { labels }),
      api.aMachine('b', { labels }),
      api.aMachine('theirs', { labels, owner: 'other' }),
      api.aMachine('unlike', { labels: { role: 'unlike' } }),
    ];
    load(api, { replicas: 3, owned: [...owned, theirs] });
    await platform.seconds(1);
    const ownerOf = (name: string) => platform.get(`machines.${api.group}`, name)?.metadata.ownerReferences;
    expect(ownerOf('a')).toMatchObject([{ kind: 'MachineSet', uid: 'uid-set', controller: true }]);
    expect(ownerOf('theirs')).toMatchObject([{ uid: 'uid-other' }]);
    expect(ownerOf('unlike') ?? []).toEqual([]);
    expect(machines(api)).toHaveLength(5);
    expect(made(api)).toHaveLength(1);
  });

  it('leaves what it adopts the owners that it has', async () => {
    const { metadata, ...orphan } = api.aMachine('a', { labels: { role: 'worker' } });
    const owner = { apiVersion: api.aSet('other').apiVersion ?? '', kind: 'MachineSet', name: 'other' };
    const ownerReferences = [{ ...owner, uid: 'uid-other' }];
    const other = api.aSet('other', { spec: { replicas: 0, selector: { matchLabels: { role: 'other' } } } });
    load(api, { replicas: 1, owned: [other, { ...orphan, metadata: { ...metadata, ownerReferences } }] });
    await platform.seconds(1);
    expect(platform.get(`machines.${api.group}`, 'a')?.metadata.ownerReferences).toMatchObject([
      { uid: 'uid-other' },
      { uid: 'uid-set', controller: true },
    ]);
  });

  it('has one Machine where it does not say how many', async () => {
    platform = aFleet({ loaded: [...templates, api.aSet('set')] });
    await platform.seconds(1);
    expect(machines(api)).toHaveLength(1);
  });

  it('replaces a Machine that nobody holds, and that is gone at once', async () => {
    const owned = ['a', 'b'].map((name) => api.aMachine(name, { owner: 'set', finalizers: [] }));
    load(api, { replicas: 2, owned });
    await platform.seconds(1);
    platform.remove(`machines.${api.group}`, 'a');
    await platform.seconds(1);
    expect(platform.get(`machines.${api.group}`, 'a')).toBeUndefined();
    expect(made(api)).toHaveLength(1);
  });

  it('adopts nothing that is being deleted, and nothing at all where its selector is empty', async () => {
    const labels = { role: 'worker' };
    const leaving = { labels, finalizers: ['example.com/x'], deletionTimestamp: '2026-01-01T00:00:00Z' };
    const empty = api.aSet('empty', { spec: { replicas: 0, selector: {} } });
    load(api, { replicas: 0, owned: [api.aMachine('leaving', leaving), api.aMachine('other'), empty] });
    await platform.seconds(1);
    for (const { metadata } of machines(api)) expect(metadata.ownerReferences ?? []).toEqual([]);
    expect(names(staying(api))).toEqual(['other']);
  });
});

describe('the way of the cluster autoscaler', () => {
  it.each([
    [apis[0]!, 'cluster.x-k8s.io/delete-machine', ''],
    [apis[1]!, 'machine.openshift.io/delete-machine', 'true'],
    [apis[2]!, 'cluster.k8s.io/delete-machine', 'true'],
  ])('takes the Machine that it has marked: %j', async (api, annotation, value) => {
    load(api, { owned: three(api) });
    await platform.seconds(1);
    platform.patch(`machines.${api.group}`, 'b', { metadata: { annotations: { [annotation]: value } } });
    await platform.seconds(60);
    expect(going(api)).toEqual([]);
    platform.patch(`machinesets.${api.group}`, 'set', { spec: { replicas: 2 } });
    await platform.seconds(1);
    expect(names(going(api))).toEqual(['b']);
    expect(names(staying(api))).toEqual(['a', 'c']);
  });
});

it('hooks of the template come along', async () => {
  load(apis[1]!, { replicas: 1 });
  await platform.seconds(0.1);
  expect(machines(apis[1]!)[0]).toMatchObject({
    metadata: { annotations: { from: 'template' } },
    spec: {
      lifecycleHooks: { preDrain: [{ name: 'backup', owner: 'somebody' }] },
      providerSpec: { value: { size: 'large' } },
    },
  });
});

const cluster = (paused: boolean): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'blue', namespace: 'default' },
  spec: { paused },
});

it('a set at a version that its Machines do not have makes none, and nothing goes wrong', async () => {
  const versions = [{ name: 'v1beta1', subresources: { status: {} } }];
  const old = { group: 'cluster.x-k8s.io', kind: 'Machine', plural: 'machines', versions };
  const definitions = [customResourceDefinition(old), machineSets];
  platform = aFleet({ definitions, loaded: [aClusterApiSet('set')] });
  await platform.seconds(1);
  expect(platform.reported).toEqual([]);
  expect(machines(apis[0]!)).toEqual([]);
});

describe('who else is in charge', () => {
  const capi = apis[0]!;
  it.each([
    ['a paused set', { annotations: { 'cluster.x-k8s.io/paused': '' } }, cluster(false), 0],
    ['a set of a paused Cluster', {}, cluster(true), 0],
    ['any other', {}, cluster(false), 3],
  ])('%s of Cluster API', async (_, set, blue, expected) => {
    load(capi, { set, owned: [blue] });
    await platform.seconds(1);
    expect(machines(capi)).toHaveLength(expected);
  });

  it.each([
    ['ClusterAPI', 0],
    ['Migrating', 0],
    ['MachineAPI', 3],
  ])('OpenShift under the authority of %s', async (authoritativeAPI, expected) => {
    load(apis[1]!, { set: { status: { replicas: 0, authoritativeAPI } } });
    await platform.seconds(1);
    expect(machines(apis[1]!)).toHaveLength(expected);
  });
});
