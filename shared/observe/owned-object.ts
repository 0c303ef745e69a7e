import { ownOf } from '../machine/owner.ts';
import type { Sighting } from '../dialects/dialect.ts';
import { unknownBy } from '../dialects/unknown.ts';
import type { Machine, ObjectRef } from '../machine/machine.ts';
import type { ReferredSeen } from '../phase/owned-object.ts';
import type { Kept, Look, Referred } from '../phase/snapshot.ts';
import { CouldNotLook } from '../kubernetes/errors.ts';

type Place = 'infrastructure' | 'bootstrap';

/** Infrastructure that somebody else deletes is noticed within this time. */
const kept: Kept = {
  maxAgeMilliseconds: 5_000,
  good: ({ metadata }) => metadata.deletionTimestamp === undefined,
};

/** Looks at the object a Machine refers to and notes the sighting for the Machine's conditions. */
export async function observeReferred(look: Look, machine: Machine, place: Place): Promise<ReferredSeen> {
  const ref = machine[place];
  if (ref === undefined) return { kind: 'none' };
  // A delete names the UID it means, so what a gate saw a moment ago will do for it.
  const { resource, key, object } = await sighted(look, place, () => referredBy(look, machine, ref));
  if (object === undefined) return { kind: 'absent', ref };
  const deletion = look.deletion(object.metadata.uid ?? '');
  return { kind: 'present', ref, resource, key, object, deletion };
}

/** The Machine's infrastructure as far as gates ask for it: unknown when it could not be read. */
export async function sightInfrastructure(look: Look, machine: Machine): Promise<Sighting> {
  const ref = machine.infrastructure;
  if (ref === undefined) return { kind: 'absent' };
  try {
    await sighted(look, 'infrastructure', () => referredBy(look, machine, ref));
  } catch (error) {
    if (!(error instanceof CouldNotLook)) throw error;
  }
  return look.sightings.infrastructure;
}

async function referredBy(look: Look, machine: Machine, ref: ObjectRef): Promise<Referred> {
  const referred = await look.referred(ref, kept);
  return { ...referred, object: ownOf(machine, ref, referred.object) };
}

async function sighted(look: Look, place: Place, read: () => Promise<Referred>): Promise<Referred> {
  try {
    const referred = await read();
    const { object } = referred;
    look.sightings[place] = object === undefined ? { kind: 'absent' } : { kind: 'present', object };
    return referred;
  } catch (error) {
    if (error instanceof CouldNotLook) look.sightings[place] = unknownBy(error);
    throw error;
  }
}
