import type { Schema } from '../schema/schema.ts';

/** Short words for the schemas of custom resources. */
export const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
export const flag: Schema = { type: 'boolean' };
export const time: Schema = { type: 'string', format: 'date-time' };
export const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };

export function text(maxLength?: number, minLength?: number): Schema {
  return {
    type: 'string',
    ...(maxLength !== undefined && { maxLength }),
    ...(minLength !== undefined && { minLength }),
  };
}

/** Text in the form of a regular expression. */
export function textLike(pattern: string, maxLength?: number, minLength?: number): Schema {
  return { ...text(maxLength, minLength), pattern };
}

/** Text of at least one character. */
export function filledText(maxLength = 256): Schema {
  return text(maxLength, 1);
}

export function integer(minimum?: number): Schema {
  return { type: 'integer', ...(minimum !== undefined && { minimum }) };
}

/** A count as Kubernetes keeps them. */
export const count: Schema = { type: 'integer', format: 'int32' };

export function oneOf(...words: string[]): Schema {
  return { type: 'string', enum: words };
}

/** A list without repetitions. */
export function setOf(items: Schema, limits: Pick<Schema, 'minItems' | 'maxItems'> = {}): Schema {
  return { ...list(items, limits), 'x-kubernetes-list-type': 'set' };
}

/** A list whose items are told apart by a field. */
export function listBy(
  key: string,
  items: Schema,
  limits: Pick<Schema, 'minItems' | 'maxItems'> = {},
): Schema {
  return { ...list(items, limits), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [key] };
}

export function list(items: Schema, limits: Pick<Schema, 'minItems' | 'maxItems'> = {}): Schema {
  return { type: 'array', items, ...limits };
}

/** An object of these fields; those whose names end in `!` must be there. */
export function fields(declared: Readonly<Record<string, Schema>>): Schema {
  const required = Object.keys(declared).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : []));
  const properties = Object.fromEntries(
    Object.entries(declared).map(([name, schema]) => [name.replace('!', ''), schema]),
  );
  return { type: 'object', properties, ...(required.length > 0 && { required: required.toSorted() }) };
}

/** The same fields, and any others. */
export function open(schema: Schema): Schema {
  return { ...schema, 'x-kubernetes-preserve-unknown-fields': true };
}

/** An object whose fields are texts. */
export function textFields(...names: string[]): Schema {
  return fields(Object.fromEntries(names.map((name) => [name, text()])));
}

/** A label selector: the API server takes any operator, the controllers judge it. */
export const labelSelector: Schema = fields({
  matchLabels: texts,
  matchExpressions: list(fields({ 'key!': text(), 'operator!': text(), values: list(text()) })),
});

/** A reference as core Kubernetes has it, with everything one may say of an object. */
export const objectReference = textFields(
  'apiVersion',
  'fieldPath',
  'kind',
  'name',
  'namespace',
  'resourceVersion',
  'uid',
);
