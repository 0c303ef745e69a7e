import { isDeepStrictEqual } from 'node:util';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The JSON merge patch that makes `after` of `before`; undefined when there is nothing to change. A null in `after`
 * says that nothing is there, as it does in the patch.
 */
export function mergeDifference(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return isDeepStrictEqual(before, after) ? undefined : after;
  const patch: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const wanted = after[field] ?? undefined;
    const change = wanted === undefined ? removed(before[field]) : mergeDifference(before[field], wanted);
    if (change !== undefined) patch[field] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

const removed = (value: unknown): null | undefined => (value === undefined ? undefined : null);
/** As a merge patch has it: of an object, too, what is there no more has to be taken off by name. */
export function changedFields(
  before: unknown,
  after: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const known = new Map<string, unknown>(Object.entries(before ?? {}));
  const changed = Object.entries(after).flatMap(([field, value]) => {
    const was = known.get(field);
    // What a provider keeps there may have nulls, which a merge patch would take off.
    const change = isDeepStrictEqual(was, value) ? undefined : mergeDifference(was, value);
    return change === undefined ? [] : [[field, change] as const];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
