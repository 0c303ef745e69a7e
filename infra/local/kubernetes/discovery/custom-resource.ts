import type { KubeObject } from '../objects/cluster.ts';
import { at, isObject, listOf, numberAt, objectOf, textAt, textsOf } from '../server/json.ts';
import type { PrinterColumn, Resource, ServedVersion } from './resource.ts';

/** The resource that a CustomResourceDefinition makes the API server serve. */
export function resourceOf(definition: KubeObject): Resource {
  const spec = objectOf(definition.spec);
  const group = textAt(spec, 'group');
  const plural = textAt(spec, 'names', 'plural');
  const kind = textAt(spec, 'names', 'kind');
  const versions = listOf(spec.versions).filter((version) => at(version, 'served') === true);
  const stored = listOf(spec.versions).find((version) => at(version, 'storage') === true);
  const key = `${plural}.${group}`;
  return {
    key,
    storage: key,
    group,
    plural,
    kind,
    singular: textAt(spec, 'names', 'singular') || kind.toLowerCase(),
    listKind: textAt(spec, 'names', 'listKind') || `${kind}List`,
    namespaced: spec.scope === 'Namespaced',
    shortNames: textsOf(at(spec, 'names', 'shortNames')),
    categories: textsOf(at(spec, 'names', 'categories')),
    subresources: Object.keys(objectOf(at(stored, 'subresources'))).toSorted(),
    versions: versions.map((version) => servedVersion(group, kind, version, stored)).toSorted(byPreference),
    storageVersion: textAt(stored, 'name'),
    isCustom: true,
    rules: { needsVersion: true },
  };
}

function servedVersion(group: string, kind: string, version: unknown, stored: unknown): ServedVersion {
  const name = textAt(version, 'name');
  const standard = `${group}/${name} ${kind} is deprecated; use ${group}/${textAt(stored, 'name')} ${kind}`;
  const warning =
    at(version, 'deprecated') === true ? textAt(version, 'deprecationWarning') || standard : undefined;
  const schema = at(version, 'schema', 'openAPIV3Schema');
  const scale = at(version, 'subresources', 'scale');
  return {
    name,
    columns: listOf(at(version, 'additionalPrinterColumns')).map(printerColumn),
    selectableFields: listOf(at(version, 'selectableFields')).map((field) => textAt(field, 'jsonPath')),
    ...(warning && { warning }),
    ...(isObject(scale) && { scale: scalePaths(scale) }),
    ...(isObject(schema) && { schema }),
  };
}

function printerColumn(column: unknown): PrinterColumn {
  const priority = numberAt(column, 'priority');
  return {
    name: textAt(column, 'name'),
    type: textAt(column, 'type'),
    jsonPath: textAt(column, 'jsonPath'),
    format: textAt(column, 'format'),
    description: textAt(column, 'description'),
    ...(priority !== undefined && { priority }),
  };
}

function scalePaths(scale: unknown): NonNullable<ServedVersion['scale']> {
  const labelSelectorPath = textAt(scale, 'labelSelectorPath');
  return {
    specReplicasPath: textAt(scale, 'specReplicasPath'),
    statusReplicasPath: textAt(scale, 'statusReplicasPath'),
    ...(labelSelectorPath && { labelSelectorPath }),
  };
}

/** Stable versions before beta before alpha, higher numbers first. */
function byPreference(one: ServedVersion, other: ServedVersion): number {
  const [left, right] = [rank(one.name), rank(other.name)];
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return (right[i] ?? 0) - (left[i] ?? 0);
  return one.name < other.name ? -1 : 1;
}

function rank(version: string): [number, number, number] {
  const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!found) return [-1, 0, 0];
  const stability = found[2] === 'alpha' ? 0 : found[2] === 'beta' ? 1 : 2;
  return [stability, Number(found[1]), Number(found[3] ?? 0)];
}
