import type { Cache } from './cache.ts';
import type { NodeSearch } from './machine-notes.ts';

/** A later try than this does not belong to the same search: there was a pause, or the instance froze. */
const maxBetweenMilliseconds = 20_000;

/** The Node of this Machine could not be looked for once more. */
export function rememberVainSearch(cache: Cache, uid: string): NodeSearch {
  const before = cache.notes(uid).nodeSearch;
  const since = before === undefined ? 0 : Math.min(before.age(), maxBetweenMilliseconds);
  const nodeSearch = {
    times: (before?.times ?? 0) + 1,
    milliseconds: (before?.milliseconds ?? 0) + since,
    age: cache.clock.stopwatch(),
  };
  cache.note(uid, { nodeSearch });
  return nodeSearch;
}
