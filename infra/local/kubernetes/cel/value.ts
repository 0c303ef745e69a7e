import type { Schema } from '../schema/schema.ts';
import { isObject, objectOf } from '../server/json.ts';

/** JSON as CEL sees it when nothing is known of its types: numbers without a fraction are integers. */
export function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (!isObject(value)) return value ?? null;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return celMap(fields.map(([key, field]) => [key, celValue(field)]));
}

/** Names that objects of this language have of themselves: the evaluator overlooks them but in a Map. */
const ownNames = new Set(['constructor', 'prototype', '__proto__']);

function celMap(entries: readonly (readonly [string, unknown])[]): unknown {
  return entries.some(([key]) => ownNames.has(key)) ? new Map(entries) : Object.fromEntries(entries);
}

/**
 * A value as the rules of its schema see it. It has the fields that the schema declares, under names that CEL can
 * say. Rules: k8s.io/apiserver's pkg/cel/common. Of the formats, only times are more than texts here.
 */
export function typedCelValue(schema: Schema, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (schema['x-kubernetes-int-or-string']) return celValue(value);
  if (typeof value === 'number') return schema.type === 'integer' ? BigInt(value) : value;
  if (typeof value === 'string') return isTime(schema) ? new Date(value) : value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => typedCelValue(items, item)) : celValue(value);
  }
  return isObject(value) ? celMap(typedFields(schema, value)) : value;
}

const isTime = ({ format }: Schema): boolean => format === 'date-time' || format === 'date';

function typedFields(schema: Schema, value: Record<string, unknown>): [string, unknown][] {
  const { properties = {}, additionalProperties: rest } = schema;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.flatMap(([key, field]): [string, unknown][] => {
    const declared = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (declared) return [[escaped(key), typedCelValue(declared, field)]];
    return typeof rest === 'object' ? [[key, typedCelValue(rest, field)]] : [];
  });
}

/** What rules at the root of a schema always see beside its fields. */
export function rootCelValue(schema: Schema, value: unknown): unknown {
  const { apiVersion, kind, metadata, ...fields } = objectOf(value);
  const { name, generateName } = objectOf(metadata);
  const envelope = objectOf(celValue({ apiVersion, kind, metadata: { name, generateName } }));
  return celMap([...typedFields(schema, fields), ...Object.entries(envelope)]);
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A field's name as expressions write it: `__dash__` for a dash, and so on. */
function escaped(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
