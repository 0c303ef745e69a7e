import { isRecord } from '../kubernetes/objects.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The object at a path; empty where there is none, so that a field below it reads as absent. */
export function recordAt(object: unknown, ...path: string[]): Fields {
  let here = object;
  for (const field of path) here = isRecord(here) ? here[field] : undefined;
  return isRecord(here) ? here : {};
}

/** The text at this path of an object; undefined where there is none. */
export const textAt = (object: unknown, ...path: string[]): string | undefined => {
  const value = recordAt(object, ...path.slice(0, -1))[path.at(-1) ?? ''];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Whether the object has a deletionTimestamp. */
export const isTerminating = (object: { metadata: { deletionTimestamp?: string } }): boolean =>
  object.metadata.deletionTimestamp !== undefined;
