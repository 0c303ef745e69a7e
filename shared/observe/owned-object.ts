import { type Observed, unknownBy } from '../dialects/gate.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Machine, ObjectRef } from '../machine/machine.ts';
import { controlledByAnother, ownOf } from '../machine/owner.ts';
import type { ReferredSeen } from '../phase/owned-object.ts';
import { forDeleteMilliseconds, type Kept, type Referred, type Snapshot } from '../phase/snapshot.ts';

type Place = 'infrastructure' | 'bootstrap';

/** Infrastructure that somebody else deletes is noticed within this time. */
const forGates = 5_000;

/** Looks at the object a Machine refers to and notes the sighting for the Machine's conditions. */
export async function observeReferred(
  snapshot: Snapshot,
  machine: Machine,
  place: Place,
): Promise<ReferredSeen> {
  const ref = machine[place];
  if (ref === undefined) return { kind: 'none' };
  const { resource, key, object } = await sighted(snapshot, place, () =>
    referredBy(snapshot, machine, ref, forDeleteMilliseconds),
  );
  if (object === undefined) return { kind: 'absent', ref };
  const deletion = snapshot.deletion(object.metadata.uid ?? '');
  return { kind: 'present', ref, resource, key, object, deletion };
}

/**
 * The Machine's infrastructure as far as gates ask for it: unknown when it could not be read.
 * @param isFresh whether a reading of an earlier step will not do
 */
export async function sightInfrastructure(
  snapshot: Snapshot,
  machine: Machine,
  isFresh = false,
): Promise<Observed> {
  const ref = machine.infrastructure;
  if (ref === undefined) return { kind: 'absent' };
  const maxAge = isFresh ? undefined : forGates;
  try {
    await sighted(snapshot, 'infrastructure', () => referredBy(snapshot, machine, ref, maxAge));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
  return snapshot.observed.infrastructure;
}

/** What holds the Machine up, an object that is going or is somebody else's, is read at each look. */
async function referredBy(
  snapshot: Snapshot,
  machine: Machine,
  ref: ObjectRef,
  maxAgeMilliseconds: number | undefined,
): Promise<Referred> {
  const good: Kept['good'] = (object) =>
    object.metadata.deletionTimestamp === undefined &&
    controlledByAnother(machine, ref, object) === undefined;
  const kept = maxAgeMilliseconds === undefined ? undefined : { maxAgeMilliseconds, good };
  const referred = await snapshot.referred(ref, kept);
  return { ...referred, object: ownOf(machine, ref, referred.object) };
}

async function sighted(snapshot: Snapshot, place: Place, read: () => Promise<Referred>): Promise<Referred> {
  try {
    const referred = await read();
    const { object } = referred;
    snapshot.observed[place] = object === undefined ? { kind: 'absent' } : { kind: 'present', object };
    return referred;
  } catch (error) {
    if (error instanceof Unavailable) snapshot.observed[place] = unknownBy(error);
    throw error;
  }
}
