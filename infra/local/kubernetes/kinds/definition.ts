import type { KubeObject } from '../cluster.ts';
import { at, listOf, objectOf, textAt } from '../json.ts';
import type { KindRules } from '../resource.ts';
import { type Cause, invalidValue, required } from '../status.ts';

/** CustomResourceDefinitions: established as soon as they are stored. */
export const definitionRules: KindRules = {
  hasGeneration: true,
  defaults: (definition) => ({
    ...definition,
    spec: { conversion: { strategy: 'None' }, ...objectOf(definition.spec) },
  }),
  refusals,
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

/** The few rules without which a definition could not be served. */
function refusals(definition: KubeObject): Cause[] {
  const { group, names, versions } = objectOf(definition.spec);
  const causes: Cause[] = [];
  const name = `${textAt(names, 'plural')}.${String(group)}`;
  if (definition.metadata.name !== name) {
    causes.push(
      invalidValue('metadata.name', definition.metadata.name, `must be spec.names.plural+"."+spec.group`),
    );
  }
  if (listOf(versions).filter((version) => objectOf(version).storage === true).length !== 1) {
    causes.push(
      invalidValue('spec.versions', null, 'must have exactly one version marked as storage version'),
    );
  }
  listOf(versions).forEach((version, i) => {
    const hasSchema = at(version, 'schema', 'openAPIV3Schema') !== undefined;
    if (!hasSchema)
      causes.push(required(`spec.versions[${i}].schema.openAPIV3Schema`, 'schemas are required'));
  });
  return causes;
}
