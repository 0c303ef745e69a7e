import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { identityOf, nameOf } from '../deploy/object-name.ts';
import type { Ours } from '../deploy/ours.ts';
import { keyOf, type Site, untilObjectGone } from '../deploy/site.ts';

/** Deletes the objects and waits until they are gone. Throws CannotDo with the objects that stay, and Unavailable. */
export async function takeAway(site: Site, ours: readonly Ours[]): Promise<void> {
  for (const one of ours) await deleteOne(site, one);
  const stuck = await stillThere(site, ours);
  if (stuck.length === 0 || site.interrupted.aborted) return;
  const lines = stuck.map(({ object }) => `  ${nameOf(object)}${heldBy(object.metadata.finalizers)}`);
  throw new CannotDo(['marked for deletion, but still there after a minute:', ...lines].join('\n'));
}

/** Throws CannotDo where it is refused, and Unavailable. */
async function deleteOne({ kubernetes, tell }: Site, { resource, object }: Ours): Promise<void> {
  const { uid = '' } = object.metadata;
  const outcome = await kubernetes.deleteWithDependents(resource, keyOf(object), uid);
  if (outcome.kind === 'refused') throw new CannotDo(`${nameOf(object)}: ${outcome.message}`);
  tell({ event: 'object', change: 'removed', object: nameOf(object) });
}

/** Looks for all at the same time: they share one minute. */
async function stillThere(site: Site, ours: readonly Ours[]): Promise<Ours[]> {
  const answers = await Promise.all(
    ours.map(async (one) => ((await untilObjectGone(site, one.resource, one.object)) ? [] : [one])),
  );
  return answers.flat();
}

const heldBy = (finalizers: readonly string[] = []): string =>
  finalizers.length === 0 ? '' : `, held by ${finalizers.join(', ')}`;

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
