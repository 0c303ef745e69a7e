import { askedAt } from '../hooks/asked.ts';
import type { Subject } from '../phase/definition.ts';
import { bypassOf, selectable } from '../phase/hooks.ts';
import { whyNotAsked } from '../phase/hooks-ahead.ts';
import { type PlacesSeen, policiesAgeMilliseconds } from '../phase/places.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { mayHold, readPolicies } from '../policies/drain-policy.ts';

/**
 * What is to be known of DrainPolicies before a drain. The Machine that has begun asks for no place again. Undefined where
 * none is for the Machine. Throws Unavailable: a list that cannot be read may hold it.
 */
export async function observePlaces(snapshot: Snapshot, subject: Subject): Promise<PlacesSeen | undefined> {
  const { dialect, machine } = subject;
  if (whyNotAsked(dialect) !== undefined || bypassOf(subject) !== undefined) return undefined;
  if (askedAt(machine, 'PreDrain') !== undefined) return undefined;
  const objects = await snapshot.policies.list(machine.ref.namespace, policiesAgeMilliseconds);
  if (!mayHold(readPolicies(objects ?? []), selectable(subject))) return undefined;
  const seen = await snapshot.policies.now();
  return { ...seen, taken: snapshot.policies.taken, isForeseen: snapshot.isForesight };
}
