import { isObject, type JsonObject } from '../json.ts';
import { keepsUnknownFields, type Schema } from './schema.ts';

/** Whatever may be in it is let be. */
export const untouched: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Drops the fields that the schema does not know, telling of each, and nulls where none may be. */
export function prune(schema: Schema, value: unknown, onUnknown: (path: string) => void, path = ''): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item, i) => prune(items, item, onUnknown, `${path}[${i}]`)) : value;
  }
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, field] of Object.entries(value)) {
    const below = path === '' ? key : `${path}.${key}`;
    const known = path === '' && isEnvelope(key) ? untouched : schemaOf(schema, key);
    if (known && field === null && !known.nullable) continue;
    if (known) kept[key] = prune(known, field, onUnknown, below);
    else if (keepsUnknownFields(schema)) kept[key] = field;
    else onUnknown(below);
  }
  return kept;
}

/** The schema of a field; undefined when there may be none of that name, unless any may be there. */
export function schemaOf(schema: Schema, key: string): Schema | undefined {
  const declared = schema.properties?.[key];
  if (declared) return declared;
  const { additionalProperties: rest } = schema;
  if (rest === true) return untouched;
  return rest === false ? undefined : rest;
}

/** The fields that every object has. */
export function isEnvelope(key: string): boolean {
  return key === 'apiVersion' || key === 'kind' || key === 'metadata';
}

/** Fills in the defaults of the schema where a field is absent. */
export function withDefaults(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => withDefaults(items, item)) : value;
  }
  if (!isObject(value)) return value;
  const filled: JsonObject = { ...value };
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    if (filled[key] === undefined && field.default !== undefined) filled[key] = field.default;
    if (filled[key] !== undefined) filled[key] = withDefaults(field, filled[key]);
  }
  return filled;
}
