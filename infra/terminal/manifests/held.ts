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

function heldFields(object: JsonObject, isTyped: boolean): JsonObject {
  const held: JsonObject = {};
  for (const field in object) {
    const value = object[field];
    if (value !== null) held[field] = heldValue(field, value, isTyped);
  }
  return held;
}

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
  if (Array.isArray(value)) return flawAmong(value, path);
  if (!isObject(value)) return undefined;
  const isText = isTextMap(field);
  // A dump has a million fields: a path is written only for the one with a flaw.
  for (const key in value) {
    const one = value[key];
    if (isText && typeof one !== 'string') return { path: `${path}.${key}`, why: noText(one) };
    const flaw = isText ? undefined : flawBelow(one, key);
    if (flaw !== undefined) return { ...flaw, path: `${path}.${key}${flaw.path}` };
  }
  return undefined;
}

function flawAmong(list: readonly unknown[], path: string): Flaw | undefined {
  for (const [index, item] of list.entries()) {
    const flaw = flawBelow(item, '');
    if (flaw !== undefined) return { ...flaw, path: `${path}[${index}]${flaw.path}` };
  }
  return undefined;
}

const flawBelow = (value: unknown, field: string): Flaw | undefined =>
  typeof value === 'object' ? flawIn(value, '', field) : undefined;

/** What is wrong with a value that must be a text. */
export function noText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean')
    return `must be a text, and is a ${typeof value}: write "${value}", in quotes`;
  return `must be a text, and is ${Array.isArray(value) ? 'a list' : isObject(value) ? 'a map' : 'null'}`;
}
