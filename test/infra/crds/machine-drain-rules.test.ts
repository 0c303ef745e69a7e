import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  at,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textAt,
} from '../../../infra/local/kubernetes/server/json.ts';

const file = new URL('../../../infra/crds/machinedrainrules.yaml', import.meta.url);
const definition: unknown = parse(readFileSync(file, 'utf8'));

/** The value without the texts that only people read. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([key, field]) => !isHelp(key, field));
  return Object.fromEntries(fields.map(([key, field]) => [key, bare(field)]));
}

const isHelp = (key: string, field: unknown): boolean => key === 'description' && typeof field === 'string';

const atomic = { 'x-kubernetes-list-type': 'atomic' };
const text = { type: 'string' };

const labelSelector = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    matchLabels: { type: 'object', additionalProperties: text },
    matchExpressions: {
      type: 'array',
      ...atomic,
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: { key: text, operator: text, values: { type: 'array', ...atomic, items: text } },
      },
    },
  },
};

const entries = (field: string, otherSelector: string): JsonObject => ({
  type: 'array',
  ...atomic,
  minItems: 1,
  maxItems: 32,
  'x-kubernetes-validations': [
    { rule: 'self.all(x, self.exists_one(y, x == y))', message: `entries in ${field} must be unique` },
  ],
  items: {
    type: 'object',
    minProperties: 1,
    properties: { selector: labelSelector, [otherSelector]: labelSelector },
  },
});

const schema = {
  type: 'object',
  required: ['metadata', 'spec'],
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['drain'],
      properties: {
        drain: {
          type: 'object',
          required: ['behavior'],
          properties: {
            behavior: { type: 'string', enum: ['Drain', 'Skip', 'WaitCompleted'] },
            order: { type: 'integer', format: 'int32' },
          },
        },
        machines: entries('machines', 'clusterSelector'),
        pods: entries('pods', 'namespaceSelector'),
      },
    },
  },
};

const served = {
  served: true,
  subresources: {},
  additionalPrinterColumns: [
    { name: 'Behavior', type: 'string', jsonPath: '.spec.drain.behavior' },
    { name: 'Order', type: 'string', jsonPath: '.spec.drain.order' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema: { openAPIV3Schema: schema },
};

it('defines MachineDrainRules as Cluster API does: both versions, their fields, limits and rules', () => {
  expect(bare(definition)).toEqual({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'machinedrainrules.cluster.x-k8s.io',
      labels: {
        'app.kubernetes.io/name': 'phaseout',
        'app.kubernetes.io/component': 'drain-rules',
        'app.kubernetes.io/part-of': 'phaseout',
        'app.kubernetes.io/managed-by': 'phaseout',
      },
    },
    spec: {
      group: 'cluster.x-k8s.io',
      scope: 'Namespaced',
      names: {
        kind: 'MachineDrainRule',
        listKind: 'MachineDrainRuleList',
        plural: 'machinedrainrules',
        singular: 'machinedrainrule',
        categories: ['cluster-api'],
      },
      conversion: { strategy: 'None' },
      versions: [
        { name: 'v1beta1', storage: false, deprecated: true, ...served },
        { name: 'v1beta2', storage: true, ...served },
      ],
    },
  });
});

/** The fields below a schema that have no help text. */
function unexplained(declared: unknown, path: string): string[] {
  const fields = Object.entries(objectOf(at(declared, 'properties')));
  const below = fields.flatMap(([name, field]) => {
    const here = `${path}.${name}`;
    const isSilent = name !== 'metadata' && textAt(field, 'description') === '';
    return isSilent ? [here] : unexplained(field, here);
  });
  const items = at(declared, 'items');
  return items === undefined ? below : [...below, ...unexplained(items, `${path}[]`)];
}

it('explains every field', () => {
  const schemas = listOf(at(definition, 'spec', 'versions')).map((one) =>
    at(one, 'schema', 'openAPIV3Schema'),
  );
  expect(schemas).toHaveLength(2);
  expect(schemas.flatMap((one) => unexplained(one, 'machinedrainrule'))).toEqual([]);
});
