import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { deleteOne } from '../remove/take-away.ts';
import { identityOf } from './object-name.ts';
import type { Ours } from './ours.ts';
import type { Site } from './site.ts';

/** The objects of an earlier version that are no longer rendered, in the order of removal. */
export function outdated(there: readonly Ours[], objects: readonly KubeObject[]): Ours[] {
  const wanted = new Set(objects.map(identityOf));
  return there.filter(
    ({ object }) => !wanted.has(identityOf(object)) && object.metadata.deletionTimestamp === undefined,
  );
}

/** One after the other: the in-memory channel forgets subscribers when many go at once. Throws CannotDo, Unavailable. */
export async function prune(site: Site, ours: readonly Ours[]): Promise<void> {
  for (const one of ours) await deleteOne(site, one);
}
