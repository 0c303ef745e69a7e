import type { Observed } from '../dialects/gate.ts';
import { unknownBy } from '../dialects/unknown.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Machine, ObjectRef } from '../machine/machine.ts';
import { ownOf } from '../machine/owner.ts';
import type { ReferredSeen } from '../phase/owned-object.ts';
import type { Kept, Referred, Snapshot } from '../phase/snapshot.ts';

type Place = 'infrastructure' | 'bootstrap';

const lives: Kept['good'] = ({ metadata }) => metadata.deletionTimestamp === undefined;
/** Infrastructure that somebody else deletes is noticed within this time. */
const forGates: Kept = { maxAgeMilliseconds: 5_000, good: lives };
/** A delete names the UID it means: its answer says how the object is. It rests on nothing that is older than a step may be. */
const forDelete: Kept = { maxAgeMilliseconds: 30_000, good: lives };

/** Looks at the object a Machine refers to and notes the sighting for the Machine's conditions. */
export async function observeReferred(
  snapshot: Snapshot,
  machine: Machine,
  place: Place,
): Promise<ReferredSeen> {
  const ref = machine[place];
  if (ref === undefined) return { kind: 'none' };
  const { resource, key, object } = await sighted(snapshot, place, () =>
    referredBy(snapshot, machine, ref, forDelete),
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
  const age = isFresh ? undefined : forGates;
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
