import { afterEach, describe, expect, it } from 'vitest';
import { conditionOf } from '../../../../../infra/local/controllers/machinery/objects.ts';
import type { Platform } from '../platform.ts';
import { aFleet, aLoadedNode, aV1alpha1Machine } from './fleet.ts';

const machines = 'machines.cluster.k8s.io';
const ofCluster = { 'cluster.k8s.io/cluster-name': 'blue' };
const claims = (name: string) => ({ 'cluster.k8s.io/machine': `default/${name}` });

let platform: Platform;
afterEach(() => platform.stop());

const nodeRef = () => platform.get(machines, 'm')!.status?.nodeRef;

describe('the Node of a Machine of v1alpha1', () => {
  it.each([
    ['says whose it is', {}, aLoadedNode('n', { annotations: claims('m') }), 'n'],
    ['says nothing', {}, aLoadedNode('n'), undefined],
    [
      'has its provider id',
      { labels: ofCluster },
      aLoadedNode('n', { spec: { providerID: 'local:///m' } }),
      'n',
    ],
    [
      'is on the same server by the last part of the id',
      { labels: ofCluster },
      aLoadedNode('n', { spec: { providerID: 'local:///zone-a/m' } }),
      'n',
    ],
    [
      'is of another cloud',
      { labels: ofCluster },
      aLoadedNode('n', { spec: { providerID: 'aws:///m' } }),
      undefined,
    ],
    [
      'has its provider id, but the Machine no cluster',
      {},
      aLoadedNode('n', { spec: { providerID: 'local:///m' } }),
      undefined,
    ],
    [
      'has its provider id, but the Machine is being deleted',
      { labels: ofCluster, deletionTimestamp: '2025-12-31T00:00:00Z' },
      aLoadedNode('n', { spec: { providerID: 'local:///m' } }),
      undefined,
    ],
  ])('%s', async (_, fields, node, expected) => {
    platform = aFleet({ loaded: [aV1alpha1Machine('m', { status: {}, ...fields }), node] });
    await platform.seconds(1);
    expect(nodeRef()).toEqual(expected && { kind: 'Node', name: 'n', uid: 'uid-node-n' });
  });

  it('is forgotten while it is going', async () => {
    const node = aLoadedNode('n', { annotations: claims('m') });
    platform = aFleet({ loaded: [aV1alpha1Machine('m', { status: {} }), node] });
    await platform.seconds(1);
    platform.patch('nodes', 'n', { metadata: { finalizers: ['example.com/kept'] } });
    platform.remove('nodes', 'n', '');
    await platform.seconds(1);
    expect(nodeRef()).toBeUndefined();
  });

  it('falls silent with the server that it says it is, linked or not', async () => {
    const node = aLoadedNode('elsewhere', { spec: { providerID: 'local:///m' } });
    platform = aFleet({
      loaded: [aV1alpha1Machine('m', { status: {} }), node],
      withCloud: true,
      nodeUnknownSeconds: 1,
    });
    await platform.seconds(1);
    expect(nodeRef()).toBeUndefined();
    await platform.cloud().delete({ machine: platform.get(machines, 'm')!, cluster: undefined });
    await platform.seconds(5);
    expect(conditionOf(platform.node('elsewhere').status?.conditions, 'Ready')?.status).toBe('Unknown');
  });

  it('is not forgotten because another that claims the Machine is going', async () => {
    const { metadata, ...node } = aLoadedNode('n', { annotations: claims('m') });
    const leaving = { finalizers: ['example.com/kept'], deletionTimestamp: '2025-12-31T00:00:00Z' };
    const status = { nodeRef: { kind: 'Node', name: 'other', uid: 'uid-node-other' } };
    const loaded = [aV1alpha1Machine('m', { status }), { ...node, metadata: { ...metadata, ...leaving } }];
    platform = aFleet({ loaded });
    await platform.seconds(1);
    expect(nodeRef()).toEqual(status.nodeRef);
  });

  it('joins when the provider has made its server', async () => {
    const machine = aV1alpha1Machine('m', {
      status: {},
      labels: ofCluster,
      spec: { providerID: undefined, versions: { kubelet: 'v1.14.1', controlPlane: 'v1.14.1' } },
    });
    platform = aFleet({ loaded: [machine], withCloud: true });
    await platform.seconds(1);
    expect(platform.cloud().servers()).toEqual([]);
    await platform.cloud().create({ machine: platform.get(machines, 'm')!, cluster: undefined });
    await platform.seconds(3);
    expect(platform.node('m')).toMatchObject({
      metadata: { annotations: claims('m'), labels: { 'node-role.kubernetes.io/master': '' } },
      spec: { providerID: 'local:///uid-m' },
    });
    expect(nodeRef()?.name).toBe('m');
  });
});
