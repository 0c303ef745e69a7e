import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { areEqual, isObject } from '../../local/kubernetes/server/json.ts';

/** Undefined before: the field is new; undefined after: it is gone. */
export interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

/** What the API server keeps of every object by itself. */
const bookkeeping = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
]);

/** The fields in which two readings of an object differ. Leaves out fields that only the cluster sets. */
export function differences(before: KubeObject, after: KubeObject): Difference[] {
  return between('', wanted(before), wanted(after));
}

function wanted({ status: _status, metadata, ...rest }: KubeObject): object {
  const kept = Object.entries(metadata).filter(([field]) => !bookkeeping.has(field));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function between(field: string, before: unknown, after: unknown): Difference[] {
  if (areEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => between(below(field, key), before[key], after[key]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => between(`${field}[${index}]`, item, after[index]));
  }
  return [{ field, before, after }];
}

function below(field: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${field}["${key}"]`;
  return field === '' ? key : `${field}.${key}`;
}
