import type { Schema } from '../schema/schema.ts';
import {
  anything,
  count,
  fields,
  flag,
  integer,
  list,
  listBy,
  objectReference,
  oneOf,
  text,
  textLike,
  texts,
  time,
} from './shape.ts';

const hookName =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';
const hooks = listBy('name', fields({ 'name!': textLike(hookName, 256, 3), 'owner!': text(512, 3) }));

const owner = fields({
  'apiVersion!': text(),
  'kind!': text(),
  'name!': text(),
  'uid!': text(),
  controller: flag,
  blockOwnerDeletion: flag,
});

/** What a Machine or a template of Machines says of objects made from it. */
export const objectMetadata: Schema = fields({
  annotations: texts,
  generateName: text(),
  labels: texts,
  name: text(),
  namespace: text(),
  ownerReferences: list(owner),
});

const authorities = ['MachineAPI', 'ClusterAPI'];
export const authoritativeApi: Schema = oneOf(...authorities);
export const statusAuthority: Schema = oneOf(...authorities, 'Migrating');
const seconds: Schema = { ...integer(0), format: 'int32' };

export const openShiftMachineSpec: Schema = fields({
  authoritativeAPI: authoritativeApi,
  lifecycleHooks: fields({ preDrain: hooks, preTerminate: hooks }),
  metadata: objectMetadata,
  nodeDeletionTimeoutSeconds: seconds,
  nodeDrainTimeoutSeconds: seconds,
  nodeVolumeDetachTimeoutSeconds: seconds,
  providerID: text(),
  providerSpec: fields({ value: anything }),
  taints: list(fields({ 'effect!': text(), 'key!': text(), timeAdded: time, value: text() })),
});

/** Conditions of OpenShift's Machine API: they have a severity, and a reason only when something is wrong. */
export const openShiftConditions: Schema = listBy(
  'type',
  fields({
    'type!': text(),
    'status!': text(),
    'lastTransitionTime!': time,
    severity: text(),
    reason: text(),
    message: text(),
  }),
);

/** The fields of a Machine of `machine.openshift.io/v1beta1`; what a provider keeps in it is its own affair. */
export const openShiftMachine: Schema = fields({
  spec: openShiftMachineSpec,
  status: fields({
    addresses: list(fields({ 'type!': text(), 'address!': text() })),
    authoritativeAPI: statusAuthority,
    conditions: openShiftConditions,
    deletion: fields({ nodeDrainStartTime: time }),
    errorMessage: text(),
    errorReason: text(),
    lastOperation: fields({ description: text(), lastUpdated: time, state: text(), type: text() }),
    lastUpdated: time,
    nodeRef: objectReference,
    phase: text(),
    providerStatus: anything,
    synchronizedAPI: authoritativeApi,
    synchronizedGeneration: integer(0),
  }),
});

/** The counters of a MachineSet before Cluster API's v1beta2. */
export const replicaCounts = {
  availableReplicas: count,
  errorMessage: text(),
  errorReason: text(),
  fullyLabeledReplicas: count,
  observedGeneration: integer(),
  readyReplicas: count,
  'replicas!': count,
};
