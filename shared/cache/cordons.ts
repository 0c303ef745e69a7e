import type { Cache } from './cache.ts';

/** Somebody may uncordon a Node meanwhile: after this time it is read again. */
const ageMilliseconds = 60_000;

/**
 * UID of the Node that this Machine's drain has cordoned, or has seen cordoned, within a minute.
 * @param node its cluster and its name
 */
export function cordonedNode(cache: Cache, uid: string, node: string): string | undefined {
  const { cordon } = cache.notes(uid);
  return cordon?.node === node && cordon.age() <= ageMilliseconds ? cordon.uid : undefined;
}

/** The Node is cordoned. `node` as in `cordonedNode`. */
export const rememberCordon = (cache: Cache, uid: string, node: string, nodeUid: string): void =>
  cache.note(uid, { cordon: { node, uid: nodeUid, age: cache.clock.stopwatch() } });
