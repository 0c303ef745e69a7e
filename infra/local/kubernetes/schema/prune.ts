import { isObject, type JsonObject } from '../server/json.ts';
import { anywhere, keepsUnknownFields, type Schema } from './schema.ts';

/** Whatever may be in it is let be. */
export const untouched: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Drops the fields that the schema does not know, telling of each, and nulls where none may be. What is left whole is shared. */
export function prune(schema: Schema, value: unknown, onUnknown: (path: string) => void, path = ''): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? sameOr(value, (item, i) => prune(items, item, onUnknown, `${path}[${i}]`)) : value;
  }
  if (!isObject(value)) return value;
  let kept: JsonObject | undefined;
  for (const [key, field] of Object.entries(value)) {
    const left = leftOf(schema, [key, field], onUnknown, path);
    if (left === field) continue;
    kept ??= { ...value };
    if (left === undefined) delete kept[key];
    else kept[key] = left;
  }
  return kept ?? value;
}

/** What is left of a field; undefined when it goes. */
function leftOf(
  schema: Schema,
  [key, field]: [string, unknown],
  onUnknown: (path: string) => void,
  path: string,
): unknown {
  const below = path === '' ? key : `${path}.${key}`;
  const known = path === '' && isEnvelope(key) ? untouched : schemaOf(schema, key);
  if (known) return field === null && !known.nullable ? undefined : prune(known, field, onUnknown, below);
  if (keepsUnknownFields(schema)) return field;
  onUnknown(below);
  return undefined;
}

/** The list itself when no item becomes another. */
function sameOr(list: unknown[], become: (item: unknown, i: number) => unknown): unknown[] {
  const items = list.map(become);
  return items.every((item, i) => item === list[i]) ? list : items;
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

const hasDefaults = anywhere((schema) => schema.default !== undefined);

/** Fills in the defaults of the schema where a field is absent. What lacks none is shared. */
export function withDefaults(schema: Schema, value: unknown): unknown {
  if (!hasDefaults(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? sameOr(value, (item) => withDefaults(items, item)) : value;
  }
  if (!isObject(value)) return value;
  let filled: JsonObject | undefined;
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const given = value[key] === undefined ? field.default : value[key];
    const full = given === undefined ? undefined : withDefaults(field, given);
    if (full === value[key]) continue;
    filled ??= { ...value };
    filled[key] = full;
  }
  return filled ?? value;
}
