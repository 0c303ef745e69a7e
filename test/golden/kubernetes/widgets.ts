import { anything, fields, flag, integer, listBy, oneOf, setOf, text, time } from '../../../infra/local/kubernetes/crds/shape.ts';
import { age, column, customResourceDefinition } from '../../../infra/local/kubernetes/crds/definition.ts';

const immutable = [{ rule: 'self == oldSelf', message: 'frozen is immutable' }];
const withinMax = [
  {
    rule: '!has(self.size) || !has(self.max) || self.size <= self.max',
    message: 'size must not exceed max',
  },
];
const untouched = { 'x-kubernetes-preserve-unknown-fields': true };

const spec = {
  ...fields({
  'color!': oneOf('red', 'green', 'blue'),
  size: { ...integer(1), maximum: 10, default: 3 },
  max: integer(),
  replicas: integer(0),
  code: { ...text(3), pattern: '^[a-z]{3}$' },
  frozen: { ...text(), 'x-kubernetes-validations': immutable },
  flag,
  maybe: { ...text(), nullable: true },
  tags: setOf(text(), { maxItems: 3 }),
  parts: listBy('name', fields({ 'name!': text(), n: integer() })),
  free: anything,
  qty: { 'x-kubernetes-int-or-string': true },
  when: time,
}),
  'x-kubernetes-validations': withinMax,
};

const status = { ...fields({ phase: text(), replicas: integer(), selector: text() }), ...untouched };

/** A custom resource with a scale subresource and a selectable field, which the transcripts use beside Machines. */
export const widgets = customResourceDefinition({
  group: 'golden.example.com',
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wd'],
  categories: ['golden'],
  versions: [
    {
      name: 'v1',
      schema: fields({ 'spec!': spec, status }),
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      selectableFields: [{ jsonPath: '.spec.color' }],
      columns: [column('Color', '.spec.color'), column('Size', '.spec.size', 'integer', 1), age],
    },
  ],
});
