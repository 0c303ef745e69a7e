import type { Sighting } from './dialects/dialect.ts';
import { CouldNotLook } from './kubernetes/port.ts';
import type { ObjectRef } from './machine/machine.ts';
import type { ReferredSeen } from './referred-object.ts';
import type { Kept, Look } from './runtime/look.ts';

type Place = 'infrastructure' | 'bootstrap';

/** Infrastructure that somebody else deletes is noticed within this time. */
const kept: Kept = {
  maxAgeMilliseconds: 5_000,
  good: ({ metadata }) => metadata.deletionTimestamp === undefined,
};

/** Looks at the object a Machine refers to and notes the sighting for the Machine's conditions. */
export async function observeReferred(
  look: Look,
  ref: ObjectRef | undefined,
  place: Place,
): Promise<ReferredSeen> {
  if (ref === undefined) return { kind: 'none' };
  // A delete names the UID it means, so what a gate saw a moment ago will do for it.
  const { resource, key, object } = await sighted(look, place, () => look.referred(ref, kept));
  if (object === undefined) return { kind: 'absent', ref };
  const deletion = look.deletion(object.metadata.uid ?? '');
  return { kind: 'present', ref, resource, key, object, deletion };
}

/** The Machine's infrastructure as far as gates ask for it: unknown when it could not be read. */
export async function sightInfrastructure(look: Look, ref: ObjectRef | undefined): Promise<Sighting> {
  if (ref === undefined) return { kind: 'absent' };
  try {
    await sighted(look, 'infrastructure', () => look.referred(ref, kept));
  } catch (error) {
    if (!(error instanceof CouldNotLook)) throw error;
  }
  return look.sightings.infrastructure;
}

async function sighted(
  look: Look,
  place: Place,
  read: () => ReturnType<Look['referred']>,
): ReturnType<Look['referred']> {
  try {
    const referred = await read();
    const { object } = referred;
    look.sightings[place] = object === undefined ? { kind: 'absent' } : { kind: 'present', object };
    return referred;
  } catch (error) {
    if (error instanceof CouldNotLook) look.sightings[place] = { kind: 'unknown', why: error.message };
    throw error;
  }
}
