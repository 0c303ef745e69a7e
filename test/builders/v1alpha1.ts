import type { ClusterState } from '../../shared/dialects/status-input.ts';
import { originalApi } from '../../shared/dialects/v1alpha1/index.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Machine } from '../../shared/machine/machine.ts';
import { timeAfter } from './cluster-api.ts';

export const finalizer = 'machine.cluster.k8s.io';
export const foreground = 'foregroundDeletion';
const clusterLabel = 'cluster.k8s.io/cluster-name';

interface Overrides {
  metadata?: Record<string, unknown>;
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

/** A worker of cluster `c` that was running on Node node-1 when it was deleted. */
export const aRawOriginal = ({ metadata, spec, status }: Overrides = {}): KubeObject => ({
  apiVersion: 'cluster.k8s.io/v1alpha1',
  kind: 'Machine',
  metadata: {
    name: 'm-1',
    namespace: 'default',
    uid: 'uid-1',
    resourceVersion: '7',
    generation: 2,
    deletionTimestamp: timeAfter(0),
    labels: { [clusterLabel]: 'c' },
    finalizers: [foreground, finalizer],
    ...metadata,
  },
  spec: {
    providerID: 'x://m-1',
    providerSpec: { value: { size: 'small' } },
    versions: { kubelet: '1.13.6' },
    ...spec,
  },
  status: { nodeRef: { kind: 'Node', name: 'node-1', uid: 'node-uid-1' }, ...status },
});

/** The same before it was deleted. */
export function aLivingOriginal(overrides: Overrides = {}): KubeObject {
  const raw = aRawOriginal(overrides);
  delete raw.metadata.deletionTimestamp;
  return raw;
}

/** Living, and a member of the control plane. */
export const aControlPlaneOriginal = (name: string, metadata: Record<string, unknown> = {}): KubeObject =>
  aLivingOriginal({
    metadata: { name, uid: `uid-${name}`, ...metadata },
    spec: { providerID: `x://${name}`, versions: { kubelet: '1.13.6', controlPlane: '1.13.6' } },
    status: { nodeRef: { kind: 'Node', name: `node-${name}`, uid: `node-uid-${name}` } },
  });

export const anOriginal = (overrides: Overrides = {}): Machine => originalApi.read(aRawOriginal(overrides));

export const withoutCluster = { labels: {} };

export const anOriginalCluster = (metadata: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: 'cluster.k8s.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'c', namespace: 'default', uid: 'cluster-uid', ...metadata },
});

export const originalSurroundings = (overrides: Partial<ClusterState> = {}): ClusterState => ({
  cluster: anOriginalCluster(),
  controlPlane: { kind: 'unseen' },
  controlPlaneMembers: 3,
  runsUs: false,
  ...overrides,
});
