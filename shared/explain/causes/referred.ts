import { saidBy } from '../../assess/said-by.ts';
import type { ObjectRef } from '../../machine/machine.ts';
import { isSomebodyElses } from '../../machine/owner.ts';
import type { DeletionStatus } from '../deletion-status.ts';
import type { Cause } from '../explanation.ts';
import { isLong, lastingSince } from '../lasting.ts';
import type { Seen } from '../seen.ts';

type Place = 'infrastructure' | 'bootstrap';

/** The infrastructure or the bootstrap object that is waited for, with what it says of itself. */
export function referredCauses(seen: Seen, place: Place): Cause[] {
  const planned = seen.plan.phases.find(({ phase }) => phase === place);
  if (planned?.does !== 'work' && planned?.does !== 'wait') return [];
  const { why } = planned;
  const ref = seen.machine[place];
  if (ref !== undefined && isSomebodyElses(why)) return [foreignCause(place, ref, why)];
  if (seen.standing === undefined) return [];
  if (seen.dialect.termination.by === 'actuator' && place === 'infrastructure')
    return [serverCause(seen, seen.standing, why)];
  return ref === undefined ? [] : [objectCause(seen, seen.standing, { place, ref })];
}

const serverCause = ({ now }: Seen, { waitsFor, since }: DeletionStatus, why: string): Cause => ({
  kind: 'infrastructure',
  phase: 'infrastructure',
  what: waitsFor.message,
  owner: 'the provider of servers',
  details: [why],
  ...slowly(isLong(since, now)),
});

const objectOf = ({ kind, group, namespace, name }: ObjectRef): NonNullable<Cause['object']> => ({
  side: 'management',
  resource: `${kind.toLowerCase()}.${group}`,
  kind,
  namespace,
  name,
});

const foreignCause = (place: Place, ref: ObjectRef, why: string): Cause => ({
  kind: place,
  phase: place,
  what: why,
  object: objectOf(ref),
  details: [],
  endsByItself: 'no',
  why: 'it is taken for neither there nor gone as long as another owns it',
});

function objectCause(
  seen: Seen,
  standing: DeletionStatus,
  { place, ref }: { place: Place; ref: ObjectRef },
): Cause {
  const object = seen[place];
  const since = object?.metadata.deletionTimestamp;
  const shown = object === undefined ? [] : saidBy(object);
  const isFailing = shown.some((line) => /fail|error/i.test(line));
  const name = `${ref.kind} ${ref.name}`;
  return {
    kind: place,
    phase: place,
    what:
      since === undefined
        ? `${name} has to go`
        : `${name} is being deleted, for ${lastingSince(since, seen.now)} so far`,
    object: objectOf(ref),
    owner: `the provider of ${ref.kind}`,
    details: shown,
    ...slowly(isFailing || isLong(since ?? standing.since ?? standing.deletedAt, seen.now)),
  };
}

const slowly = (isLate: boolean): Pick<Cause, 'endsByItself' | 'why'> =>
  isLate
    ? {
        endsByItself: 'unknown',
        why: 'its provider should be done by now, or says that it fails: look at its log',
      }
    : { endsByItself: 'yes', why: 'its provider deletes it' };
