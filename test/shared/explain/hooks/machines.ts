import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';

export const now = Date.parse('2026-11-27T12:00:00Z');

const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

export const moveTraffic = `${preDrain}/move-traffic`;
export const backUpLogs = `${preTerminate}/back-up-logs`;
export const ours = `${preDrain}/phaseout`;

/** The time so many minutes ago, as Kubernetes writes it. */
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString().replace('.000', '');

interface Given {
  annotations?: Record<string, string>;
  /** Minutes ago; living without. */
  deleted?: number;
  /** Of the condition that its own controller keeps. */
  reason?: string;
  metadata?: object;
  spec?: object;
  status?: object;
}

/** A Machine of Cluster API. */
export function aMachine(name: string, given: Given = {}): KubeObject {
  const { annotations = {}, deleted, reason, metadata, spec, status } = given;
  const deleting = { type: 'Deleting', status: 'True', reason, message: 'says its controller' };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'fleet',
      uid: `uid-${name}`,
      resourceVersion: '1',
      finalizers: ['machine.cluster.x-k8s.io'],
      annotations,
      ...(deleted !== undefined && { deletionTimestamp: ago(deleted) }),
      ...metadata,
    },
    spec: {
      clusterName: 'blue',
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'LocalMachine', name },
      ...spec,
    },
    status: { ...(reason !== undefined && { conditions: [deleting] }), nodeRef: { name }, ...status },
  };
}

/** A Machine of OpenShift. */
export function anOpenShiftMachine(name: string, given: Given = {}): KubeObject {
  const { annotations = {}, deleted, metadata, spec, status } = given;
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'openshift-machine-api',
      uid: `uid-${name}`,
      resourceVersion: '1',
      finalizers: ['machine.machine.openshift.io'],
      labels: { 'machine.openshift.io/cluster-api-cluster': 'blue' },
      annotations,
      ...(deleted !== undefined && { deletionTimestamp: ago(deleted) }),
      ...metadata,
    },
    spec: { providerSpec: { value: {} }, ...spec },
    status: { nodeRef: { name }, ...status },
  };
}

/** What a maker writes on what it has made. */
export const madeBy = (apiVersion: string, kind: string, name: string) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: `uid-${name}`, controller: true }],
});

/** An Event on a Machine. */
export const anEvent = (machine: string, component: string): KubeObject => ({
  metadata: { name: `${machine}.${component}`, namespace: 'fleet' },
  involvedObject: { kind: 'Machine', namespace: 'fleet', name: machine, uid: `uid-${machine}` },
  source: { component },
  reportingComponent: component,
});
