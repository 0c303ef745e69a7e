import type { KindRules } from '../discovery/resource.ts';
import { withMetadata } from '../objects/kube-object.ts';
import { objectOf, textAt } from '../server/json.ts';

/** Namespaces: labelled with their name, Active, and held by the finalizer of the namespace controller. */
export const namespaceRules: KindRules = {
  answersObject: true,
  hasLabelNames: true,
  defaults(namespace) {
    const { labels, name } = namespace.metadata;
    return withMetadata(namespace, { labels: { ...labels, 'kubernetes.io/metadata.name': name } });
  },
  onCreate: (namespace) => ({
    ...namespace,
    spec: { ...objectOf(namespace.spec), finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  fields: { 'status.phase': (namespace) => textAt(namespace, 'status', 'phase') },
};
