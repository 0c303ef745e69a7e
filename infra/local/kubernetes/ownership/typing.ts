import type { Resource } from '../discovery/resource.ts';
import { mergeKeyOf, mergesAsSet } from '../patches/strategic.ts';
import { schemaAt } from '../schema/admission.ts';
import { schemaOf, untouched } from '../schema/prune.ts';
import { keepsUnknownFields, type Schema } from '../schema/schema.ts';
import { isObject } from '../server/json.ts';

/**
 * The place of a value, which decides how it is merged. Custom resources say it in their schemas. For built-in kinds
 * and for all metadata the path says it.
 */
export interface Typing {
  readonly path: string;
  readonly schema?: Schema;
}

export function typingOf(resource: Resource, version: string): Typing {
  return resource.isCustom ? { path: '', schema: schemaAt(resource, version) ?? untouched } : { path: '' };
}

/** A field's typing; undefined when the schema does not declare it. */
export function fieldTyping({ path, schema }: Typing, key: string): Typing | undefined {
  const below = `${path}.${key}`;
  if (!schema || below === '.metadata' || below === '.apiVersion' || below === '.kind')
    return { path: below };
  const declared = schemaOf(schema, key) ?? (keepsUnknownFields(schema) ? untouched : undefined);
  return declared && { path: below, schema: declared };
}

export function itemTyping({ path, schema }: Typing): Typing {
  return schema ? { path, schema: schema.items ?? untouched } : { path };
}

/** The fields by which the items of a list are told apart. */
function keysOf({ path, schema }: Typing): readonly string[] | undefined {
  if (schema) return schema['x-kubernetes-list-map-keys'];
  const key = mergeKeyOf(path);
  return key === undefined ? undefined : [key];
}

function isSet({ path, schema }: Typing): boolean {
  return schema ? schema['x-kubernetes-list-type'] === 'set' : mergesAsSet(path);
}

/** Whether a map has one owner as a whole. */
export const isWhole = ({ schema }: Typing): boolean => schema?.['x-kubernetes-map-type'] === 'atomic';

/** Whether the items of a list have owners of their own. */
export const hasItems = (typing: Typing): boolean => isSet(typing) || keysOf(typing) !== undefined;

/** The name of a list's item in refusals: `[name="a"]`, `[="a"]`. Undefined when the list is one value. */
export function itemName(typing: Typing, item: unknown): string | undefined {
  if (isSet(typing)) return `[=${JSON.stringify(item)}]`;
  const keys = keysOf(typing);
  if (!keys || !isObject(item)) return undefined;
  return `[${keys.map((key) => `${key}=${JSON.stringify(item[key])}`).join(',')}]`;
}

/** The first flaw of an object to be applied by its schema, in the API server's words. */
export function undeclared(typing: Typing, value: unknown, path = ''): string | undefined {
  if (value === null || value === undefined) return undefined;
  const wanted = path === '.metadata.name' ? 'string' : kindOf(typing.schema?.type);
  if (wanted !== undefined && kindOf(typeOf(value)) !== wanted)
    return `${path}: expected ${wanted}, got ${shown(value)}`;
  if (Array.isArray(value))
    return first(value, (item, i) => undeclared(itemTyping(typing), item, `${path}[${i}]`));
  if (!isObject(value)) return undefined;
  return first(Object.entries(value), ([key, field]) => {
    const below = fieldTyping(typing, key);
    return below
      ? undeclared(below, field, `${path}.${key}`)
      : `${path}.${key}: field not declared in schema`;
  });
}

function first<T>(list: readonly T[], flawOf: (one: T, i: number) => string | undefined): string | undefined {
  for (const [i, one] of list.entries()) {
    const flaw = flawOf(one, i);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'numeric (int or float)',
  number: 'numeric (int or float)',
  array: 'list',
  object: 'map',
};

const kindOf = (type = ''): string | undefined => kinds[type];

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

const shown = (value: unknown): string => `&value.valueUnstructured{Value:${JSON.stringify(value)}}`;
