/** An object of JSON. */
export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; anything else reads as an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list; anything else reads as an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list, without all else in it. Anything but a list reads as an empty one. */
export function textsOf(value: unknown): string[] {
  return listOf(value).filter((one) => typeof one === 'string');
}

/** What lies at the end of the keys, or undefined. */
export function at(value: unknown, ...keys: string[]): unknown {
  let here: unknown = value;
  for (const key of keys) {
    if (!isObject(here)) return undefined;
    here = here[key];
  }
  return here;
}

/** The text at the end of the keys; the empty text when there is none. */
export function textAt(value: unknown, ...keys: string[]): string {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : '';
}

export function numberAt(value: unknown, ...keys: string[]): number | undefined {
  const found = at(value, ...keys);
  return typeof found === 'number' ? found : undefined;
}

/** Equal as JSON. The order of keys does not matter, that of lists does. An undefined field is an absent one. */
export function areEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, i) => areEqual(item, other[i]))
    );
  }
  if (!isObject(one) || !isObject(other)) return false;
  for (const key of Object.keys(one)) if (!areEqual(one[key], other[key])) return false;
  return Object.keys(other).every((key) => other[key] === undefined || Object.hasOwn(one, key));
}

/** Freezes all the way down. What is frozen already is taken to be so below, which makes shared parts free. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

/** The object without the keys whose value is undefined. */
export function compact<T>(object: { [K in keyof T]: T[K] | undefined }): T {
  const kept = { ...object };
  for (const key in kept) if (kept[key] === undefined) delete kept[key];
  // The type says what the loop has just made true.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return kept as T;
}
