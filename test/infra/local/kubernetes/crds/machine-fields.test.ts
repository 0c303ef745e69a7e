import { expect, it, test } from 'vitest';
import { machines } from '../../../../../infra/local/kubernetes/crds/cluster-api.ts';
import {
  machineV1beta1 as v1beta1,
  machineV1beta2 as v1beta2,
} from '../../../../../infra/local/kubernetes/crds/machine-schema.ts';
import { keepsUnknownFields, type Schema } from '../../../../../infra/local/kubernetes/schema/schema.ts';
import { createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

/** What Cluster API 1.14 has in `spec` and `status` of a Machine, at both of its versions. */
const atBoth = [
  'spec.bootstrap.configRef.kind: string',
  'spec.bootstrap.configRef.name: string',
  'spec.bootstrap.dataSecretName: string',
  'spec.clusterName: string',
  'spec.failureDomain: string',
  'spec.infrastructureRef.kind: string',
  'spec.infrastructureRef.name: string',
  'spec.providerID: string',
  'spec.readinessGates[].conditionType: string',
  'spec.readinessGates[].polarity: string',
  'spec.taints[].effect: string',
  'spec.taints[].key: string',
  'spec.taints[].propagation: string',
  'spec.taints[].value: string',
  'spec.version: string',
  'status.addresses[].address: string',
  'status.addresses[].type: string',
  'status.certificatesExpiryDate: date-time',
  'status.conditions[].lastTransitionTime: date-time',
  'status.conditions[].message: string',
  'status.conditions[].reason: string',
  'status.conditions[].status: string',
  'status.conditions[].type: string',
  'status.deletion.nodeDrainStartTime: date-time',
  'status.deletion.waitForNodeVolumeDetachStartTime: date-time',
  'status.deletion.waitForPreDrainHookStartTime: date-time',
  'status.deletion.waitForPreTerminateHookStartTime: date-time',
  'status.lastUpdated: date-time',
  'status.nodeInfo.architecture: string',
  'status.nodeInfo.bootID: string',
  'status.nodeInfo.containerRuntimeVersion: string',
  'status.nodeInfo.kernelVersion: string',
  'status.nodeInfo.kubeProxyVersion: string',
  'status.nodeInfo.kubeletVersion: string',
  'status.nodeInfo.machineID: string',
  'status.nodeInfo.operatingSystem: string',
  'status.nodeInfo.osImage: string',
  'status.nodeInfo.swap.capacity: integer',
  'status.nodeInfo.systemUUID: string',
  'status.nodeRef.name: string',
  'status.observedGeneration: integer',
  'status.phase: string',
];

const onlyAtV1beta1 = [
  'spec.bootstrap.configRef.apiVersion: string',
  'spec.bootstrap.configRef.fieldPath: string',
  'spec.bootstrap.configRef.namespace: string',
  'spec.bootstrap.configRef.resourceVersion: string',
  'spec.bootstrap.configRef.uid: string',
  'spec.infrastructureRef.apiVersion: string',
  'spec.infrastructureRef.fieldPath: string',
  'spec.infrastructureRef.namespace: string',
  'spec.infrastructureRef.resourceVersion: string',
  'spec.infrastructureRef.uid: string',
  'spec.nodeDeletionTimeout: string',
  'spec.nodeDrainTimeout: string',
  'spec.nodeVolumeDetachTimeout: string',
  'status.bootstrapReady: boolean',
  'status.conditions[].severity: string',
  'status.failureMessage: string',
  'status.failureReason: string',
  'status.infrastructureReady: boolean',
  'status.nodeRef.apiVersion: string',
  'status.nodeRef.fieldPath: string',
  'status.nodeRef.kind: string',
  'status.nodeRef.namespace: string',
  'status.nodeRef.resourceVersion: string',
  'status.nodeRef.uid: string',
  'status.v1beta2.conditions[].lastTransitionTime: date-time',
  'status.v1beta2.conditions[].message: string',
  'status.v1beta2.conditions[].observedGeneration: integer',
  'status.v1beta2.conditions[].reason: string',
  'status.v1beta2.conditions[].status: string',
  'status.v1beta2.conditions[].type: string',
];

const onlyAtV1beta2 = [
  'spec.bootstrap.configRef.apiGroup: string',
  'spec.deletion.nodeDeletionTimeoutSeconds: integer',
  'spec.deletion.nodeDrainTimeoutSeconds: integer',
  'spec.deletion.nodeVolumeDetachTimeoutSeconds: integer',
  'spec.infrastructureRef.apiGroup: string',
  'spec.minReadySeconds: integer',
  'status.conditions[].observedGeneration: integer',
  'status.deprecated.v1beta1.conditions[].lastTransitionTime: date-time',
  'status.deprecated.v1beta1.conditions[].message: string',
  'status.deprecated.v1beta1.conditions[].reason: string',
  'status.deprecated.v1beta1.conditions[].severity: string',
  'status.deprecated.v1beta1.conditions[].status: string',
  'status.deprecated.v1beta1.conditions[].type: string',
  'status.deprecated.v1beta1.failureMessage: string',
  'status.deprecated.v1beta1.failureReason: string',
  'status.failureDomain: string',
  'status.initialization.bootstrapDataSecretCreated: boolean',
  'status.initialization.infrastructureProvisioned: boolean',
];

/** Each field that has none below it, with its kind. One that takes any field below it is of kind `open`. */
function fieldsOf(schema: Schema, path = ''): string[] {
  const { type = '', format = type, properties, items } = schema;
  if (keepsUnknownFields(schema)) return [`${path}: open`];
  if (items !== undefined) return fieldsOf(items, `${path}[]`);
  if (properties === undefined) return [`${path}: ${format}`];
  return Object.entries(properties).flatMap(([name, below]) =>
    fieldsOf(below, path === '' ? name : `${path}.${name}`),
  );
}

test.each([
  ['v1beta1', v1beta1, [...atBoth, ...onlyAtV1beta1]],
  ['v1beta2', v1beta2, [...atBoth, ...onlyAtV1beta2]],
])("a Machine at %s has the fields of Cluster API's own, and no others", (_version, schema, expected) => {
  expect(fieldsOf(schema).toSorted()).toEqual(expected.toSorted());
});

const reference = { kind: 'B', name: 'c' };
const time = '2026-01-01T00:00:00Z';

it.each([
  ['v1beta1', { ...reference, apiVersion: 'a/v1' }],
  ['v1beta2', { ...reference, apiGroup: 'a' }],
])('a Machine at %s keeps since when its hooks are waited for', (version, infrastructureRef) => {
  const server = createApiServer({ clock: new VirtualClock(Date.parse(time)) });
  server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', machines);
  const deletion = { waitForPreDrainHookStartTime: time, waitForPreTerminateHookStartTime: time };
  const kept = server.restore({
    apiVersion: `cluster.x-k8s.io/${version}`,
    kind: 'Machine',
    metadata: { name: 'x', namespace: 'default' },
    spec: { clusterName: 'blue', bootstrap: { dataSecretName: 'secret' }, infrastructureRef },
    status: { deletion },
  });
  expect(kept).toHaveProperty('status.deletion', deletion);
});
