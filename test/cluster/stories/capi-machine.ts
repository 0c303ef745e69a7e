import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Scene } from '../scene.ts';

export const clusterName = 'blue';

export interface WorkerWishes {
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
  deletion?: Readonly<Record<string, number>>;
}

const bootstrapGroup = 'bootstrap.cluster.x-k8s.io';
const infrastructureGroup = 'infrastructure.cluster.x-k8s.io';

/** A Machine of Cluster API that runs, in the version that is served. */
export function machineOf(scene: Scene, name: string, wishes: WorkerWishes): KubeObject {
  const isOld = scene.installation.capi === 'v1beta1';
  const refTo = (group: string, kind: string): object =>
    isOld ? { apiVersion: `${group}/v1beta2`, kind, name } : { apiGroup: group, kind, name };
  const deletion = { nodeDeletionTimeoutSeconds: 10, ...wishes.deletion };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name,
      labels: { 'cluster.x-k8s.io/cluster-name': clusterName, ...wishes.labels },
      annotations: wishes.annotations ?? {},
      finalizers: ['machine.cluster.x-k8s.io'],
    },
    spec: {
      clusterName,
      providerID: `phaseout-test://${scene.global(name)}`,
      version: 'v1.36.2',
      bootstrap: { configRef: refTo(bootstrapGroup, 'PhaseoutTestConfig'), dataSecretName: name },
      infrastructureRef: refTo(infrastructureGroup, 'PhaseoutTestMachine'),
      ...(isOld ? durationsOf(deletion) : { deletion }),
    },
    status: { phase: 'Running', ...(isOld ? oldStatus : newStatus)(scene.global(name)) },
  };
}

/** v1beta1 has them beside the other fields, as texts. */
const durationsOf = (deletion: Readonly<Record<string, number>>): object =>
  Object.fromEntries(
    Object.entries(deletion).map(([field, seconds]) => [field.replace(/Seconds$/, ''), `${seconds}s`]),
  );

const newStatus = (node: string): object => ({
  nodeRef: { name: node },
  initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
});

const oldStatus = (node: string): object => ({
  nodeRef: { apiVersion: 'v1', kind: 'Node', name: node },
  bootstrapReady: true,
  infrastructureReady: true,
});

/** The status of a server and of a bootstrap config that Cluster API's own controller reads. It serves both contracts. */
export const provisioned = { initialization: { provisioned: true }, ready: true };
export const bootstrapped = { initialization: { dataSecretCreated: true }, ready: true };

/** Of a Cluster that runs. */
export const clusterStatus = ({ installation }: Scene): object =>
  installation.capi === 'v1beta1'
    ? { infrastructureReady: true, controlPlaneReady: true }
    : { initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true } };
