import { isObject } from '../server/json.ts';
import { fieldTyping, itemTyping, type Typing } from './typing.ts';

/** The first thing in an object to be applied that its schema does not let be, in the API server's words. */
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
