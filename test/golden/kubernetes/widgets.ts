import { age, column, customResourceDefinition } from '../../../infra/local/kubernetes/crds/definition.ts';

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
