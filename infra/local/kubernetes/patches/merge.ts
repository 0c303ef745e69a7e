import { isObject, type JsonObject } from '../server/json.ts';

/** JSON merge patch (RFC 7386). Parts that the patch does not touch are shared with the target. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], Array.isArray(value) ? value.map(withoutNulls) : value);
  }
  return merged;
}

/** The API server drops nulls from objects in a list that comes with a patch. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isObject(value) ? mergePatch({}, value) : value;
}
