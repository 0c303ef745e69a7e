import { isObject } from '../../../infra/local/kubernetes/server/json.ts';

/** What is at the end of a path of fields, whatever the values on the way are. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const foreign = (what: string, value: unknown, known: readonly string[]): string[] =>
  Object.keys(isObject(value) ? value : {})
    .filter((field) => !known.includes(field))
    .map((field) => `${what}.${field} must not be set`);

/** As text where it is one, and nothing else. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
