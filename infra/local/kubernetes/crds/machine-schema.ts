import type { Schema } from '../schema/schema.ts';
import {
  fields,
  filledText,
  flag,
  integer,
  list,
  listBy,
  objectReference as oldReference,
  oneOf,
  text,
  textFields,
  time,
} from './shape.ts';

const reference = fields({ 'apiGroup!': filledText(253), 'kind!': filledText(63), 'name!': filledText(253) });

const gate = fields({ 'conditionType!': filledText(316), polarity: oneOf('Positive', 'Negative') });
const taint = fields({
  'key!': filledText(317),
  value: filledText(63),
  'effect!': oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
  'propagation!': oneOf('Always', 'OnInitialization'),
});

/** A condition of Kubernetes' own form: all five fields, and a reason in one word. */
const condition = fields({
  'type!': text(316),
  'status!': oneOf('True', 'False', 'Unknown'),
  'reason!': { ...filledText(1024), pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
  'message!': text(32_768),
  'lastTransitionTime!': time,
  observedGeneration: integer(0),
});

export const oldCondition = fields({
  'type!': filledText(),
  'status!': text(),
  severity: text(32),
  reason: filledText(),
  message: filledText(10_240),
  'lastTransitionTime!': time,
});

export const conditions = listBy('type', condition, { maxItems: 32 });

const common = {
  'clusterName!': filledText(63),
  failureDomain: filledText(),
  providerID: filledText(512),
  readinessGates: listBy('conditionType', gate, { maxItems: 32 }),
  taints: list(taint, { minItems: 1, maxItems: 64 }),
  version: filledText(),
};

const nodeInfo: Schema = fields({
  ...textFields(
    'architecture',
    'bootID',
    'containerRuntimeVersion',
    'kernelVersion',
    'kubeProxyVersion',
    'kubeletVersion',
    'machineID',
    'operatingSystem',
    'osImage',
    'systemUUID',
  ).properties,
  swap: fields({ capacity: integer() }),
});

const commonStatus = {
  addresses: list(fields({ 'type!': text(), 'address!': filledText() })),
  certificatesExpiryDate: time,
  deletion: fields({
    nodeDrainStartTime: time,
    waitForNodeVolumeDetachStartTime: time,
    waitForPreDrainHookStartTime: time,
    waitForPreTerminateHookStartTime: time,
  }),
  lastUpdated: time,
  nodeInfo,
};

const phases = [
  'Pending',
  'Provisioning',
  'Provisioned',
  'Running',
  'Deleting',
  'Deleted',
  'Failed',
  'Unknown',
];

export const machineSpecV1beta1: Schema = fields({
  ...common,
  'bootstrap!': fields({ configRef: oldReference, dataSecretName: text(253) }),
  'infrastructureRef!': oldReference,
  nodeDeletionTimeout: text(),
  nodeDrainTimeout: text(),
  nodeVolumeDetachTimeout: text(),
});

const failure = { failureMessage: filledText(10_240), failureReason: text() };

/** The fields of a Machine at v1beta1 that this server checks. */
export const machineV1beta1: Schema = fields({
  spec: machineSpecV1beta1,
  status: fields({
    ...commonStatus,
    bootstrapReady: flag,
    conditions: list(oldCondition),
    ...failure,
    infrastructureReady: flag,
    nodeRef: oldReference,
    observedGeneration: integer(),
    phase: oneOf(...phases),
    v1beta2: fields({ conditions }),
  }),
});

export const machineSpecV1beta2: Schema = fields({
  ...common,
  'bootstrap!': fields({ configRef: reference, dataSecretName: text(253) }),
  'infrastructureRef!': reference,
  minReadySeconds: integer(0),
  deletion: {
    ...fields({
      nodeDeletionTimeoutSeconds: integer(0),
      nodeDrainTimeoutSeconds: integer(0),
      nodeVolumeDetachTimeoutSeconds: integer(0),
    }),
    minProperties: 1,
  },
});

/** The fields of a Machine at v1beta2 that this server checks. */
export const machineV1beta2: Schema = fields({
  'spec!': machineSpecV1beta2,
  status: {
    ...fields({
      ...commonStatus,
      conditions,
      deprecated: fields({ v1beta1: fields({ ...failure, conditions: list(oldCondition) }) }),
      failureDomain: filledText(),
      initialization: fields({ bootstrapDataSecretCreated: flag, infrastructureProvisioned: flag }),
      nodeRef: fields({ 'name!': filledText(253) }),
      observedGeneration: integer(1),
      phase: oneOf(...phases, 'Updating'),
    }),
    minProperties: 1,
  },
});
