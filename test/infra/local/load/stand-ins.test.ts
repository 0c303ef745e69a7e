import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { load } from '../../../../infra/local/load/load.ts';
import { aMachine, aNode, anAwsMachine, aPod } from '../../../builders/dump.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

function loaded(...objects: readonly KubeObject[]) {
  const apiServer = createApiServer({ clock: new VirtualClock(0) });
  const manifests = objects.map((object) => ({ from: 'dump.yaml', object }));
  return { cluster: apiServer.cluster, ...load(apiServer, manifests, 'http://127.0.0.1:4711') };
}

function aDaemon(name: string, apiVersion: string): KubeObject {
  const pod = aPod(`${name}-1`, 'a', { kind: 'DaemonSet', name });
  const [owner] = pod.metadata.ownerReferences;
  return { ...pod, metadata: { ...pod.metadata, ownerReferences: [{ ...owner!, apiVersion }] } };
}

const isThere = ({ cluster }: ReturnType<typeof loaded>, resource: string, name: string): boolean =>
  cluster.resources().includes(resource) && cluster.get(resource, 'shop', name) !== undefined;

describe('a DaemonSet that was not given', () => {
  it.each([
    ['of its owner', 'apps/v1', 'daemonsets.apps', 'daemonsets.apps.kruise.io'],
    [
      'of its owner, of which only one version is served here',
      'apps/v1beta2',
      'daemonsets.apps',
      'daemonsets.apps.kruise.io',
    ],
    ['of another API', 'apps.kruise.io/v1alpha1', 'daemonsets.apps.kruise.io', 'daemonsets.apps'],
  ])('is made up in the group %s, and in no other', (_, apiVersion, made, other) => {
    const found = loaded(aNode('a'), aDaemon('agent', apiVersion));
    expect({ made: isThere(found, made, 'agent'), other: isThere(found, other, 'agent') }).toEqual({
      made: true,
      other: false,
    });
  });

  it('is named, with what it does to its Pods', () => {
    const { notes } = loaded(
      aNode('a'),
      aDaemon('proxy', 'apps/v1'),
      aDaemon('agent', 'apps.kruise.io/v1alpha1'),
    );
    expect(notes).toContain(
      'not given, so assumed to be there: DaemonSet shop/proxy (its Pods stay on their Nodes), ' +
        'DaemonSet shop/agent of apps.kruise.io/v1alpha1 (a drain asks for DaemonSets of apps/v1 alone, so its Pods are evicted)',
    );
  });

  it('is not made up beside one that was given', () => {
    const given = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'proxy', namespace: 'shop', uid: 'given' },
    };
    const { cluster, notes } = loaded(given, aDaemon('proxy', 'apps/v1'));
    expect(cluster.get('daemonsets.apps', 'shop', 'proxy')?.metadata.uid).toBe('given');
    expect(notes.join('\n')).not.toContain('DaemonSet');
  });
});

describe('a control plane that was not given', () => {
  const cluster: KubeObject = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'blue', namespace: 'fleet' },
    spec: {
      controlPlaneRef: {
        apiGroup: 'controlplane.cluster.x-k8s.io',
        kind: 'KubeadmControlPlane',
        name: 'blue',
      },
    },
  };
  const labels = { 'cluster.x-k8s.io/cluster-name': 'blue', 'cluster.x-k8s.io/control-plane': '' };
  const statusWith = (...objects: KubeObject[]): unknown =>
    loaded(cluster, aMachine('a'), anAwsMachine('a'), ...objects).cluster.get(
      'kubeadmcontrolplanes.controlplane.cluster.x-k8s.io',
      'fleet',
      'blue',
    )?.status;

  it('counts as one that needs no Machines where none of its Machines were given', () => {
    expect(statusWith()).toEqual({ externalManagedControlPlane: true });
  });

  it('leaves the count to its Machines where some were given', () => {
    expect(statusWith(aMachine('b', { metadata: { labels } }))).toBeUndefined();
  });

  it.each([
    ['namespace', { namespace: 'other' }],
    ['Cluster', { clusterName: 'green' }],
  ])('takes no Machine of another %s for one of its own', (_, { namespace, clusterName }: Other) => {
    const member = aMachine('b', { metadata: { labels, ...(namespace && { namespace }) } });
    const spec = { ...member.spec, ...(clusterName && { clusterName }) };
    expect(statusWith({ ...member, spec })).toEqual({ externalManagedControlPlane: true });
  });
});

interface Other {
  namespace?: string;
  clusterName?: string;
}
