import type { Schema } from '../schema/schema.ts';
import { age, column, condition, customResourceDefinition, scalable } from './definition.ts';
import { conditions, machineSpecV1beta1, machineSpecV1beta2, oldCondition } from './machine-schema.ts';
import {
  anything,
  count,
  fields,
  filledText,
  integer,
  labelSelector,
  list,
  oneOf,
  text,
  texts,
} from './shape.ts';

const policy = oneOf('Random', 'Newest', 'Oldest');
const templateMetadata = fields({ labels: texts, annotations: texts });
const naming = fields({ template: filledText() });

const specV1beta1: Schema = fields({
  'clusterName!': filledText(63),
  deletePolicy: policy,
  machineNamingStrategy: naming,
  minReadySeconds: count,
  replicas: { ...count, default: 1 },
  'selector!': labelSelector,
  template: fields({ metadata: templateMetadata, spec: machineSpecV1beta1 }),
});

const statusV1beta1: Schema = fields({
  availableReplicas: count,
  conditions: list(oldCondition),
  failureMessage: text(),
  failureReason: text(),
  fullyLabeledReplicas: count,
  observedGeneration: integer(),
  readyReplicas: count,
  replicas: count,
  selector: text(),
  v1beta2: anything,
});

const specV1beta2: Schema = fields({
  'clusterName!': filledText(63),
  deletion: { ...fields({ order: policy }), minProperties: 1 },
  machineNaming: naming,
  replicas: count,
  'selector!': labelSelector,
  'template!': fields({ metadata: templateMetadata, 'spec!': machineSpecV1beta2 }),
});

const statusV1beta2: Schema = fields({
  availableReplicas: count,
  conditions,
  deprecated: anything,
  observedGeneration: integer(1),
  readyReplicas: count,
  replicas: count,
  selector: filledText(4096),
  upToDateReplicas: count,
});

const subresources = scalable('.status.selector');

const cluster = column('Cluster', '.spec.clusterName');
const [ready, available] = [
  column('Ready', '.status.readyReplicas', 'integer'),
  column('Available', '.status.availableReplicas', 'integer'),
];
const version = column('Version', '.spec.template.spec.version');

/** MachineSets as Cluster API defines them, at the two versions of its Machines. */
export const machineSets = customResourceDefinition({
  group: 'cluster.x-k8s.io',
  kind: 'MachineSet',
  shortNames: ['ms'],
  categories: ['cluster-api'],
  versions: [
    {
      name: 'v1beta1',
      isDeprecated: true,
      schema: fields({ spec: specV1beta1, status: statusV1beta1 }),
      subresources,
      columns: [
        cluster,
        column('Desired', '.spec.replicas', 'integer', 10),
        column('Replicas', '.status.replicas', 'integer'),
        ready,
        available,
        age,
        version,
      ],
    },
    {
      name: 'v1beta2',
      schema: fields({ 'spec!': specV1beta2, status: { ...statusV1beta2, minProperties: 1 } }),
      subresources,
      columns: [
        cluster,
        column('Desired', '.spec.replicas', 'integer'),
        column('Current', '.status.replicas', 'integer'),
        ready,
        available,
        column('Up-to-date', '.status.upToDateReplicas', 'integer'),
        condition('Paused', 'Paused', 10),
        age,
        version,
      ],
    },
  ],
});
