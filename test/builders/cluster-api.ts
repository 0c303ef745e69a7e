import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { ClusterState, StatusInput } from '../../shared/dialects/status-input.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Machine } from '../../shared/machine/machine.ts';

export const deletedAt = Date.UTC(2026, 0, 1, 12, 0, 0);

/** Seconds after the Machine got its deletionTimestamp. */
export const after = (seconds: number): number => deletedAt + seconds * 1000;

export const timeAfter = (seconds: number): string =>
  `${new Date(after(seconds)).toISOString().slice(0, 19)}Z`;

interface Overrides {
  apiVersion?: string;
  metadata?: Record<string, unknown>;
  annotations?: Record<string, string>;
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

const infrastructure = { kind: 'Server', name: 'm-1' };

/** A v1beta2 Machine that was running when it was deleted. */
export const aRawMachine = ({
  apiVersion,
  metadata,
  annotations,
  spec,
  status,
}: Overrides = {}): KubeObject => ({
  apiVersion: apiVersion ?? 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: {
    name: 'm-1',
    namespace: 'default',
    uid: 'uid-1',
    resourceVersion: '7',
    generation: 2,
    deletionTimestamp: timeAfter(0),
    finalizers: ['machine.cluster.x-k8s.io'],
    annotations: annotations ?? {},
    ...metadata,
  },
  spec: {
    clusterName: 'c',
    providerID: 'x://m-1',
    infrastructureRef: { apiGroup: 'infra.example', ...infrastructure },
    bootstrap: { configRef: { apiGroup: 'boot.example', kind: 'Config', name: 'm-1' } },
    ...spec,
  },
  status: {
    nodeRef: { name: 'node-1' },
    initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
    ...status,
  },
});

export const aRawV1Beta1Machine = (overrides: Overrides = {}): KubeObject =>
  aRawMachine({
    ...overrides,
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    spec: {
      infrastructureRef: { apiVersion: 'infra.example/v1beta1', ...infrastructure },
      bootstrap: { configRef: { apiVersion: 'boot.example/v1beta1', kind: 'Config', name: 'm-1' } },
      ...overrides.spec,
    },
  });

export const aMachine = (overrides: Overrides = {}): Machine => clusterApi.read(aRawMachine(overrides));

export const aCluster = (fields: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'c', namespace: 'default' },
  ...fields,
});

export const someSurroundings = (overrides: Partial<ClusterState> = {}): ClusterState => ({
  cluster: aCluster(),
  controlPlane: { kind: 'unseen' },
  controlPlaneMembers: 3,
  runsUs: false,
  ...overrides,
});

export const aCheckpoint = (overrides: Partial<Checkpoint> = {}): Checkpoint => ({
  v: 1,
  uid: 'uid-1',
  seq: 1,
  phase: 'drain',
  since: timeAfter(1),
  passed: {},
  ...overrides,
});

/** What a status is computed from when nothing was looked at. */
export const aStatusInput = (overrides: Partial<StatusInput> = {}): StatusInput => ({
  machine: aMachine(),
  checkpoint: aCheckpoint(),
  report: undefined,
  paused: [],
  cluster: undefined,
  infrastructure: { kind: 'unseen' },
  bootstrap: { kind: 'unseen' },
  node: { kind: 'unseen' },
  now: after(10),
  ...overrides,
});
