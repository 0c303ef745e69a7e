import type { Schema } from '../schema/schema.ts';
import { column, customResourceDefinition, scalable } from './definition.ts';
import { replicaCounts } from './openshift-machine-schema.ts';
import { anything, count, fields, labelSelector, list, oneOf, open, text, time } from './shape.ts';

// That version did not prune: other fields of a manifest stay.

const group = 'cluster.k8s.io';
const name = 'v1alpha1';
const status = { status: {} };
const versions = open(fields({ 'kubelet!': text(), controlPlane: text() }));

const machineSpec: Schema = open(
  fields({
    metadata: anything,
    providerID: text(),
    'providerSpec!': open(fields({ value: anything, valueFrom: anything })),
    taints: list(anything),
    versions,
  }),
);

const machine: Schema = open(
  fields({
    spec: machineSpec,
    status: open(
      fields({
        addresses: list(anything),
        conditions: list(anything),
        errorMessage: text(),
        errorReason: text(),
        lastUpdated: time,
        nodeRef: anything,
        phase: text(),
        providerStatus: anything,
        versions,
      }),
    ),
  }),
);

const machines = customResourceDefinition({
  group,
  kind: 'Machine',
  versions: [
    {
      name,
      schema: machine,
      subresources: status,
      columns: [
        column('ProviderID', '.spec.providerID'),
        column('Phase', '.status.phase'),
        column('NodeName', '.status.nodeRef.name', 'string', 1),
      ],
    },
  ],
});

const machineSet: Schema = open(
  fields({
    spec: open(
      fields({
        deletePolicy: oneOf('Random', 'Newest', 'Oldest'),
        minReadySeconds: count,
        replicas: count,
        'selector!': open(labelSelector),
        template: open(fields({ metadata: anything, spec: machineSpec })),
      }),
    ),
    status: open(fields(replicaCounts)),
  }),
);

const machineSets = customResourceDefinition({
  group,
  kind: 'MachineSet',
  shortNames: ['ms'],
  versions: [
    {
      name,
      schema: machineSet,
      subresources: scalable('.status.labelSelector'),
    },
  ],
});

const clusters = customResourceDefinition({
  group,
  kind: 'Cluster',
  shortNames: ['cl'],
  versions: [
    {
      name,
      schema: open(fields({ spec: anything, status: anything })),
      subresources: status,
    },
  ],
});

/** The Machine API of Cluster API's beginnings, from before a cluster had infrastructure objects. */
export const v1alpha1Definitions = [clusters, machines, machineSets];
