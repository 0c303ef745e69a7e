import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A dump as kubectl writes it, into a file; the answer is its path. */
export async function aDump(folder: string, items: readonly object[]): Promise<string> {
  const path = join(folder, 'dump.json');
  await writeFile(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  return path;
}

const created = {
  resourceVersion: '4711',
  creationTimestamp: '2026-01-01T00:00:00Z',
  managedFields: [{ manager: 'x' }],
};
const blue = { 'cluster.x-k8s.io/cluster-name': 'blue' };

interface Wanted {
  metadata?: object;
  version?: 'v1beta1' | 'v1beta2';
}

export function aMachine(name: string, { metadata = {}, version = 'v1beta2' }: Wanted = {}) {
  const infrastructure = { kind: 'AWSMachine', name };
  const group = 'infrastructure.cluster.x-k8s.io';
  return {
    apiVersion: `cluster.x-k8s.io/${version}`,
    kind: 'Machine',
    metadata: {
      ...created,
      name,
      namespace: 'fleet',
      uid: `machine-${name}`,
      labels: blue,
      finalizers: ['machine.cluster.x-k8s.io'],
      ...metadata,
    },
    spec: {
      clusterName: 'blue',
      providerID: `aws:///z/${name}`,
      bootstrap: { dataSecretName: name },
      infrastructureRef:
        version === 'v1beta2'
          ? { ...infrastructure, apiGroup: group }
          : { ...infrastructure, apiVersion: `${group}/v1beta2`, namespace: 'fleet' },
    },
    status: { phase: 'Running', nodeRef: version === 'v1beta2' ? { name } : { kind: 'Node', name } },
  };
}

/** As a provider's own controller left it: with that one's finalizer. */
export const anAwsMachine = (name: string) => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  metadata: {
    ...created,
    name,
    namespace: 'fleet',
    uid: `aws-${name}`,
    finalizers: ['awsmachine.infrastructure.cluster.x-k8s.io'],
    ownerReferences: [
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name, uid: `machine-${name}` },
    ],
  },
  spec: { instanceType: 'm5.large' },
});

export const aNode = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { ...created, name, uid: `node-${name}` },
  spec: { providerID: `aws:///z/${name}` },
  status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }] },
});

/** Running on a Node, and owned by what the dump does not have. */
export const aPod = (name: string, nodeName: string, owner: { kind: string; name: string }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    ...created,
    name,
    namespace: 'shop',
    uid: `pod-${name}`,
    labels: { app: owner.name },
    ownerReferences: [{ apiVersion: 'apps/v1', ...owner, uid: `owner-${owner.name}`, controller: true }],
  },
  spec: { nodeName, containers: [{ name: 'main', image: 'registry.example/main:1' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
});

/** A way to the cluster that the dump was taken from. */
export const aKubeconfigSecret = (server: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...created, name: 'blue-kubeconfig', namespace: 'fleet', uid: 'secret-blue' },
  data: { value: Buffer.from(kubeconfig(server)).toString('base64') },
});

const kubeconfig = (server: string): string =>
  JSON.stringify({
    'current-context': 'real',
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'real' } }],
    clusters: [{ name: 'real', cluster: { server } }],
    users: [{ name: 'real', user: { token: 'real' } }],
  });
