import { approvalAnnotation, type Cause, isProtectedGroup, type KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { invalidValue, required } from '../objects/status.ts';
import { ruleFlaws } from '../schema/rule.ts';
import { areEqual, at, isObject, listOf, objectOf, textAt } from '../server/json.ts';

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
    const met = (type: string, reason: string, message: string) => ({
      type,
      status: 'True',
      lastTransitionTime,
      reason,
      message,
    });
    const stored = listOf(spec.versions).filter((version) => objectOf(version).storage === true);
    return {
      ...definition,
      status: {
        conditions: [
          met('NamesAccepted', 'NoConflicts', 'no conflicts found'),
          met('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
        ],
        acceptedNames: objectOf(spec.names),
        storedVersions: stored.map((version) => textAt(version, 'name')),
      },
    };
  },
};

/** The few rules without which a definition could not be served. */
function refusals(definition: KubeObject, previous: KubeObject | undefined): Cause[] {
  const { group, names, versions } = objectOf(definition.spec);
  const causes: Cause[] = [];
  const name = `${textAt(names, 'plural')}.${String(group)}`;
  if (definition.metadata.name !== name) {
    causes.push(
      invalidValue('metadata.name', definition.metadata.name, `must be spec.names.plural+"."+spec.group`),
    );
  }
  causes.push(...unapproved(definition, String(group)));
  if (listOf(versions).filter((version) => objectOf(version).storage === true).length !== 1) {
    causes.push(
      invalidValue('spec.versions', null, 'must have exactly one version marked as storage version'),
    );
  }
  if (areEqual(versions, at(previous, 'spec', 'versions'))) return causes;
  return [...causes, ...listOf(versions).flatMap(schemaFlaws)];
}

function unapproved({ metadata }: KubeObject, group: string): Cause[] {
  if (!isProtectedGroup(group) || metadata.annotations?.[approvalAnnotation]) return [];
  const why = `protected groups must have approval annotation "${approvalAnnotation}", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [required(`metadata.annotations[${approvalAnnotation}]`, why)];
}

function schemaFlaws(version: unknown, i: number): Cause[] {
  const field = `spec.versions[${i}].schema.openAPIV3Schema`;
  const schema = at(version, 'schema', 'openAPIV3Schema');
  return isObject(schema) ? ruleFlaws(schema, field) : [required(field, 'schemas are required')];
}
