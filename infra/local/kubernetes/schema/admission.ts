import type { Cause, Resource, Target, WriteOptions } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject } from '../objects/kube-object.ts';
import { doubtfulFinalizers } from '../objects/metadata-rules.ts';
import { invalid, invalidValue, unhandled } from '../objects/status.ts';
import { isEnvelope, prune, withDefaults } from './prune.ts';
import type { Schema } from './schema.ts';
import { refusalsOf } from './validate.ts';

export function schemaAt(resource: Resource, version: string): Schema | undefined {
  return resource.versions.find((served) => served.name === version)?.schema;
}

/** A custom resource as its schema lets it in: without unknown fields, with defaults. Throws ApiError 400 in strict mode. */
export function admitted(
  target: Target,
  object: KubeObject,
  options: WriteOptions,
  previous?: KubeObject,
): KubeObject {
  const { resource, version } = target;
  if (!resource.isCustom) return withKnownFields(target, object, options);
  warnOfFinalizers(object, previous, options);
  const schema = schemaAt(resource, version);
  if (!schema) return object;
  const unknown: string[] = [];
  const pruned = prune(schema, object, (path) => unknown.push(path));
  report(target, unknown, options);
  return kubeObject(withDefaults(schema, pruned));
}

/** Fields of the object that its built-in kind does not have. Empty if the fields of the kind are unknown. */
export function strayFields({ rules }: Resource, object: object): string[] {
  const known = rules.knownFields;
  return known ? Object.keys(object).filter((key) => !isEnvelope(key) && !known.includes(key)) : [];
}

function withKnownFields(target: Target, object: KubeObject, options: WriteOptions): KubeObject {
  const unknown = strayFields(target.resource, object);
  if (unknown.length === 0) return object;
  report(target, unknown, options);
  return kubeObject(Object.fromEntries(Object.entries(object).filter(([key]) => !unknown.includes(key))));
}

function report(target: Target, unknown: readonly string[], options: WriteOptions): void {
  const { fieldValidation, warn, isPatch } = options;
  const words = unknown.map((path) => `unknown field "${path}"`);
  const isRefused = fieldValidation === 'Strict' && words.length > 0;
  if (isRefused) throw strictRefusal(target, `strict decoding error: ${words.join(', ')}`, isPatch === true);
  if (fieldValidation !== 'Ignore') for (const word of words) warn?.(word);
}

function strictRefusal({ resource, version }: Target, why: string, isPatch: boolean): Error {
  if (isPatch) return invalid('', '', '', [invalidValue('patch', '', why)]);
  const { kind } = resource;
  return unhandled(kind, version, kind, why);
}

function warnOfFinalizers(
  object: KubeObject,
  previous: KubeObject | undefined,
  { warn }: WriteOptions,
): void {
  const known = previous?.metadata.finalizers ?? [];
  const advice =
    'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
  for (const name of doubtfulFinalizers(object))
    if (!known.includes(name)) warn?.(`metadata.finalizers: "${name}": ${advice}`);
}

/** Why the schema refuses the object. */
export function schemaRefusals(target: Target, next: KubeObject, previous?: KubeObject): Cause[] {
  const schema = schemaAt(target.resource, target.version);
  return schema ? refusalsOf(schema, next, previous) : [];
}
