import { isObject, type JsonObject } from '../../local/kubernetes/server/json.ts';
import { isTimeField, writtenTime } from './times.ts';

/**
 * A manifest as an API server would hold it. A field that is null is absent, and times are in UTC. `isTyped`: the API
 * server knows every field of the kind. Of all kinds it knows the metadata.
 */
export function asHeld(manifest: JsonObject, isTyped: boolean): JsonObject {
  const { metadata, ...rest } = manifest;
  const held = heldFields(rest, isTyped);
  return isObject(metadata) ? { ...held, metadata: heldFields(metadata, true) } : held;
}

const heldFields = (object: JsonObject, isTyped: boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([field, value]) => [field, heldValue(field, value, isTyped)]),
  );

function heldValue(field: string, value: unknown, isTyped: boolean): unknown {
  if (typeof value === 'string') return isTimeField(field) ? (writtenTime(value, field) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => heldValue('', item, isTyped));
  if (!isObject(value)) return value;
  return isTyped && isTextMap(field) ? withEmptyTexts(value) : heldFields(value, isTyped);
}

const textMaps: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector']);

/** A map of texts, with keys of its author's. */
const isTextMap = (field: string): boolean => textMaps.has(field);

const withEmptyTexts = (map: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']));

/** A field that no API server takes, and why. */
export interface Flaw {
  path: string;
  why: string;
}

/** The first such field of a value whose every field the API server knows. */
export function flawIn(value: unknown, path: string, field = ''): Flaw | undefined {
  if (value === null) return { path, why: 'is null, and must have a value' };
  if (Array.isArray(value)) return first(value.map((item, index) => [`${path}[${index}]`, '', item]));
  if (!isObject(value)) return undefined;
  const fields = Object.entries(value);
  if (!isTextMap(field)) return first(fields.map(([key, one]) => [`${path}.${key}`, key, one]));
  const other = fields.find(([, one]) => typeof one !== 'string');
  return other && { path: `${path}.${other[0]}`, why: noText(other[1]) };
}

function first(values: readonly [path: string, field: string, value: unknown][]): Flaw | undefined {
  for (const [path, field, value] of values) {
    const flaw = flawIn(value, path, field);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/** What is wrong with a value that must be a text. */
export function noText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean')
    return `must be a text, and is a ${typeof value}: write "${value}", in quotes`;
  return `must be a text, and is ${Array.isArray(value) ? 'a list' : isObject(value) ? 'a map' : 'null'}`;
}
