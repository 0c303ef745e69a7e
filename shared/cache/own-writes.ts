import type { KubeObject } from '../kubernetes/objects.ts';
import type { Cache } from './cache.ts';

/** Their events come soon or not at all. */
const maxWrites = 8;

/** Remembers which version of the Machine a write of this instance has made: its event is no news to any instance. */
export function rememberOwnWrite(cache: Cache, { metadata: { uid, resourceVersion } }: KubeObject): void {
  if (uid === undefined || resourceVersion === undefined) return;
  cache.note(uid, { ownWrites: [...ownWrites(cache, uid), resourceVersion].slice(-maxWrites) });
}

/** The resourceVersions of the last ones, oldest first. */
export const ownWrites = (cache: Cache, uid: string): readonly string[] => cache.notes(uid).ownWrites ?? [];
