import { listOf, objectOf, textAt } from '../json.ts';
import type { KindRules } from '../resource.ts';

/** CustomResourceDefinitions: established as soon as they are stored. */
export const definitionRules: KindRules = {
  hasGeneration: true,
  defaults: (definition) => ({
    ...definition,
    spec: { conversion: { strategy: 'None' }, ...objectOf(definition.spec) },
  }),
  onCreate(definition) {
    const spec = objectOf(definition.spec);
    const lastTransitionTime = definition.metadata.creationTimestamp;
    const stored = listOf(spec.versions).filter((version) => objectOf(version).storage === true);
    return {
      ...definition,
      status: {
        conditions: [
          {
            type: 'NamesAccepted',
            status: 'True',
            lastTransitionTime,
            reason: 'NoConflicts',
            message: 'no conflicts found',
          },
          {
            type: 'Established',
            status: 'True',
            lastTransitionTime,
            reason: 'InitialNamesAccepted',
            message: 'the initial names have been accepted',
          },
        ],
        acceptedNames: objectOf(spec.names),
        storedVersions: stored.map((version) => textAt(version, 'name')),
      },
    };
  },
};
