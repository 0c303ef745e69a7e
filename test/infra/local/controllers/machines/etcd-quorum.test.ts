import { afterEach, describe, expect, it } from 'vitest';
import type { Machine } from '../../../../../infra/local/controllers/machines/apis.ts';
import { etcdHook, isVoter, nextToGo } from '../../../../../infra/local/controllers/machines/etcd-quorum.ts';
import { isReady } from '../../../../../infra/local/controllers/workloads/pods.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Platform } from '../platform.ts';
import { aFleet, aLoadedNode, anOpenShiftMachine, anOpenShiftSet, openShiftFinalizer } from './fleet.ts';

const machines = 'machines.machine.openshift.io';
const role = { 'machine.openshift.io/cluster-api-machine-role': 'master' };
const names = ['cp-0', 'cp-1', 'cp-2'];

const etcdNamespace: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'openshift-etcd' },
};
const controlPlaneSet = anOpenShiftSet('cp', {
  spec: {
    replicas: 3,
    template: { metadata: { labels: role }, spec: { providerSpec: { value: {} } } },
  },
});
const controlPlane = names.flatMap((name) => [
  anOpenShiftMachine(name, { labels: role, owner: 'cp' }),
  aLoadedNode(name, { labels: { 'node-role.kubernetes.io/master': '' } }),
]);

describe('the etcd Operator', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  const members = () => platform.list('pods').filter(({ metadata }) => metadata.labels?.['app'] === 'etcd');
  const voters = () => members().filter(isReady);
  const preDrain = (name: string) => platform.get(machines, name)?.spec?.lifecycleHooks?.preDrain;
  const living = () => platform.list(machines).filter(({ metadata }) => !metadata.deletionTimestamp);

  async function aControlPlane(...others: KubeObject[]) {
    const loaded = [etcdNamespace, controlPlaneSet, ...controlPlane, ...others];
    platform = aFleet({ loaded, withCloud: true, etcdSyncSeconds: 2 });
    await platform.seconds(5);
  }

  /** What the functions do meanwhile: new Machines are held, and those without hooks go. */
  async function pass(seconds: number) {
    let fewest = voters().length;
    for (let step = 0; step < seconds * 10; step += 1) {
      for (const { metadata } of living())
        platform.patch(machines, metadata.name, { metadata: { finalizers: [openShiftFinalizer] } });
      await platform.seconds(0.1);
      fewest = Math.min(fewest, voters().length);
    }
    return fewest;
  }

  function takeAway(name: string) {
    const nodeName = platform.get(machines, name)!.status!.nodeRef!.name!;
    platform.remove('nodes', nodeName, '');
    platform.patch(machines, name, { metadata: { finalizers: null } });
  }

  it('protects living control plane Machines, and no others', async () => {
    const worker = anOpenShiftMachine('worker', {
      labels: { 'machine.openshift.io/cluster-api-machine-role': 'worker' },
    });
    await aControlPlane(worker, aLoadedNode('worker'));
    expect(names.map(preDrain)).toEqual([[etcdHook], [etcdHook], [etcdHook]]);
    expect(preDrain('worker')).toBeUndefined();
    expect(members().map(({ metadata }) => metadata.name)).toEqual(['etcd-cp-0', 'etcd-cp-1', 'etcd-cp-2']);
  });

  it('lets a member run before it is ready', async () => {
    const loaded = [etcdNamespace, controlPlaneSet, ...controlPlane];
    platform = aFleet({ loaded, podStartSeconds: 1, etcdSyncSeconds: 2 });
    await platform.seconds(1.5);
    expect(members().map(({ status }) => status?.phase)).toEqual(['Running', 'Running', 'Running']);
    expect(voters()).toEqual([]);
    await platform.seconds(2);
    expect(voters()).toHaveLength(3);
  });

  it('releases a Machine when a fourth member is ready, and never has fewer than three', async () => {
    await aControlPlane();
    platform.remove(machines, 'cp-1');
    expect(await pass(2)).toBe(3);
    expect(living()).toHaveLength(3);
    expect(preDrain('cp-1')).toEqual([etcdHook]);
    await pass(2);
    expect(members()).toHaveLength(4);
    expect(voters()).toHaveLength(3);
    expect(preDrain('cp-1')).toEqual([etcdHook]);
    await pass(2);
    expect(voters()).toHaveLength(4);
    expect(preDrain('cp-1')).toBeUndefined();
    takeAway('cp-1');
    expect(await pass(5)).toBe(3);
    expect(living().map(({ spec }) => spec?.lifecycleHooks?.preDrain)).toEqual([
      [etcdHook],
      [etcdHook],
      [etcdHook],
    ]);
  });

  it('releases one Machine at a time', async () => {
    await aControlPlane();
    platform.remove(machines, 'cp-0');
    await platform.seconds(2);
    platform.remove(machines, 'cp-1');
    expect(await pass(30)).toBe(3);
    expect(voters()).toHaveLength(5);
    expect(preDrain('cp-0')).toBeUndefined();
    expect(preDrain('cp-1')).toEqual([etcdHook]);
    takeAway('cp-0');
    expect(await pass(2)).toBe(4);
    expect(preDrain('cp-1')).toBeUndefined();
  });

  it('keeps hooks of others in their place', async () => {
    await aControlPlane();
    const other = { name: 'other', owner: 'somebody' };
    platform.patch(machines, 'cp-1', { spec: { lifecycleHooks: { preDrain: [etcdHook, other] } } });
    platform.remove(machines, 'cp-1');
    await pass(10);
    expect(preDrain('cp-1')).toEqual([other]);
  });

  it('protects a Machine beside the hooks of others', async () => {
    const other = { name: 'other', owner: 'somebody' };
    const lifecycleHooks = { preDrain: [other] };
    const fourth = anOpenShiftMachine('cp-3', { labels: role, owner: 'cp', spec: { lifecycleHooks } });
    await aControlPlane(fourth, aLoadedNode('cp-3'));
    expect(preDrain('cp-3')).toEqual([other, etcdHook]);
  });

  it('takes no hook of others away that has come meanwhile', async () => {
    await aControlPlane();
    const other = { name: 'other', owner: 'somebody' };
    const write = () =>
      platform.patch(machines, 'cp-1', { spec: { lifecycleHooks: { preDrain: [etcdHook, other] } } });
    platform.remove(machines, 'cp-1');
    platform.forestall((patch) => JSON.stringify(patch).includes('"preDrain":null'), write);
    await pass(10);
    expect(preDrain('cp-1')).toEqual([other]);
  });

  it('starts no member on a Node that is not ready', async () => {
    const fourth = anOpenShiftMachine('cp-3', { labels: role, owner: 'cp' });
    await aControlPlane(fourth, aLoadedNode('cp-3', { ready: 'False' }));
    expect(members().map(({ spec }) => spec?.nodeName)).not.toContain('cp-3');
    platform.setReady('cp-3', 'True');
    await platform.seconds(1);
    expect(members().map(({ spec }) => spec?.nodeName)).toContain('cp-3');
  });

  it('goes with its namespace', async () => {
    const metadata = {
      name: 'openshift-etcd',
      deletionTimestamp: '2025-12-31T00:00:00Z',
      finalizers: ['example.com/kept'],
    };
    platform = aFleet({ loaded: [{ ...etcdNamespace, metadata }, controlPlaneSet, ...controlPlane] });
    await platform.seconds(5);
    expect(names.map(preDrain)).toEqual([undefined, undefined, undefined]);
  });

  it('is not there without its namespace', async () => {
    platform = aFleet({ loaded: controlPlane });
    await platform.seconds(10);
    expect(members()).toEqual([]);
    expect(preDrain('cp-0')).toBeUndefined();
  });
});

it.each([
  ['has all data', {}, 'True', true],
  ['has not all data yet', {}, 'False', false],
  ['is on its way out', { deletionTimestamp: '2026-01-01T00:00:00Z' }, 'True', false],
  ['is no member', { labels: { app: 'other' } }, 'True', false],
])('a Pod votes or not when it %s', (_, metadata, status, votes) => {
  const pod = {
    metadata: { name: 'etcd-a', namespace: 'openshift-etcd', labels: { app: 'etcd' }, ...metadata },
    status: { conditions: [{ type: 'Ready', status }] },
  };
  expect(isVoter(pod)).toBe(votes);
});

const aMachine = (name: string, { deleted = '', hasHook = true, node = name } = {}): Machine => ({
  metadata: { name, ...(deleted !== '' && { deletionTimestamp: deleted }) },
  spec: { lifecycleHooks: { preDrain: hasHook ? [etcdHook] : [] } },
  status: node === '' ? {} : { nodeRef: { name: node } },
});

describe('the Machine that may go', () => {
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:10Z'];
  const others = ['b', 'c', 'd'].map((name) => aMachine(name));

  it.each([
    ['one whose place is taken', [aMachine('a', { deleted: early }), ...others], 'abcd', 'a'],
    [
      'none while a new member is not ready',
      [aMachine('a', { deleted: early }), ...others],
      'abc',
      undefined,
    ],
    ['none while nobody is asked to go', [aMachine('a'), ...others], 'abcd', undefined],
    ['one whose own member has failed', [aMachine('a', { deleted: early }), ...others], 'bcd', 'a'],
    ['one that never had a Node', [aMachine('a', { deleted: early, node: '' }), ...others], 'bcd', 'a'],
    [
      'the one that was asked first',
      [aMachine('a', { deleted: late }), aMachine('b', { deleted: early }), aMachine('c'), aMachine('d')],
      'abcd',
      'b',
    ],
    [
      'none while another goes',
      [aMachine('a', { deleted: late }), aMachine('x', { deleted: early, hasHook: false }), ...others],
      'abcdx',
      undefined,
    ],
    ['none of a small control plane', [aMachine('a', { deleted: early })], 'a', undefined],
  ])('is %s', (_, all, voting, expected) => {
    expect(nextToGo(all, (name) => name !== '' && voting.includes(name))?.metadata.name).toBe(expected);
  });
});
