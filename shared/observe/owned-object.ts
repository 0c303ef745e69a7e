import type { Observed } from '../dialects/gate.ts';
import { unknownBy } from '../dialects/unknown.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Machine, ObjectRef } from '../machine/machine.ts';
import { ownOf } from '../machine/owner.ts';
import type { ReferredSeen } from '../phase/owned-object.ts';
import type { Kept, Referred, Snapshot } from '../phase/snapshot.ts';

type Place = 'infrastructure' | 'bootstrap';

/** Infrastructure that somebody else deletes is noticed within this time. */
const kept: Kept = {
  maxAgeMilliseconds: 5_000,
  good: ({ metadata }) => metadata.deletionTimestamp === undefined,
};

/** Looks at the object a Machine refers to and notes the sighting for the Machine's conditions. */
export async function observeReferred(
  snapshot: Snapshot,
  machine: Machine,
  place: Place,
): Promise<ReferredSeen> {
  const ref = machine[place];
  if (ref === undefined) return { kind: 'none' };
  // A delete names the UID it means, so what a gate saw a moment ago will do for it.
  const { resource, key, object } = await sighted(snapshot, place, () =>
    referredBy(snapshot, machine, ref, kept),
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
  const age = isFresh ? undefined : kept;
  try {
    await sighted(snapshot, 'infrastructure', () => referredBy(snapshot, machine, ref, age));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
  return snapshot.sightings.infrastructure;
}

async function referredBy(
  snapshot: Snapshot,
  machine: Machine,
  ref: ObjectRef,
  age: Kept | undefined,
): Promise<Referred> {
  const referred = await snapshot.referred(ref, age);
  return { ...referred, object: ownOf(machine, ref, referred.object) };
}

async function sighted(snapshot: Snapshot, place: Place, read: () => Promise<Referred>): Promise<Referred> {
  try {
    const referred = await read();
    const { object } = referred;
    snapshot.sightings[place] = object === undefined ? { kind: 'absent' } : { kind: 'present', object };
    return referred;
  } catch (error) {
    if (error instanceof Unavailable) snapshot.sightings[place] = unknownBy(error);
    throw error;
  }
}
