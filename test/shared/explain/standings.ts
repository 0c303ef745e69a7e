import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';

/** All Machines here are deleted at noon, and looked at ten minutes later. */
const deletedAt = '2026-11-27T12:00:00Z';
export const now = Date.parse('2026-11-27T12:10:00Z');

interface Parts {
  annotations?: Record<string, string>;
  checkpoint?: Partial<Checkpoint>;
  finalizers?: string[];
  spec?: object;
  status?: object;
  metadata?: object;
}

export const checkpoint = (parts: Partial<Checkpoint>): string =>
  JSON.stringify({
    v: 1,
    uid: 'u',
    seq: 3,
    phase: 'drain',
    since: '2026-11-27T12:02:00Z',
    passed: {},
    ...parts,
  });

function deleting(name: string, namespace: string, finalizer: string, parts: Parts) {
  const { annotations = {}, checkpoint: saved, finalizers = [finalizer], metadata = {} } = parts;
  const ours = saved === undefined ? {} : { 'phaseout.dev/checkpoint': checkpoint(saved) };
  return {
    name,
    namespace,
    uid: 'u',
    creationTimestamp: '2026-11-01T00:00:00Z',
    deletionTimestamp: deletedAt,
    finalizers,
    annotations: { ...annotations, ...ours },
    ...metadata,
  };
}

export const ofClusterApi = (parts: Parts = {}): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: deleting('md-1', 'prod', 'machine.cluster.x-k8s.io', parts),
  spec: {
    clusterName: 'blue',
    bootstrap: {
      configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'md-1' },
    },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'md-1' },
    ...parts.spec,
  },
  status: { nodeRef: { name: 'n1' }, ...parts.status },
});

export const ofOpenShift = (parts: Parts = {}): KubeObject => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: deleting('worker-a', 'openshift-machine-api', 'machine.machine.openshift.io', {
    ...parts,
    metadata: { labels: { 'machine.openshift.io/cluster-api-cluster': 'ocp' } },
  }),
  spec: { providerSpec: { value: {} }, ...parts.spec },
  status: { nodeRef: { kind: 'Node', name: 'n1', uid: 'n' }, phase: 'Deleting', ...parts.status },
});

export const ofV1alpha1 = (parts: Parts = {}): KubeObject => ({
  apiVersion: 'cluster.k8s.io/v1alpha1',
  kind: 'Machine',
  metadata: deleting('w-1', 'machines', 'machine.cluster.k8s.io', {
    ...parts,
    metadata: { labels: { 'cluster.k8s.io/cluster-name': 'old' } },
  }),
  spec: { providerSpec: {}, ...parts.spec },
  status: { nodeRef: { kind: 'Node', name: 'n1', uid: 'n' }, ...parts.status },
});

/** What Cluster API's own controller shows, or phaseout in its place. */
export const shows = (reason: string, message = '', more: object = {}) => ({
  conditions: [{ type: 'Deleting', status: 'True', reason, message, lastTransitionTime: deletedAt }],
  ...more,
});
