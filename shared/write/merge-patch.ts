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
