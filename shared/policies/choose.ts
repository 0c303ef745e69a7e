import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import { type Begun, type DrainPolicy, isFor, unclearFor } from './drain-policy.ts';
import { admitted, inLine, isWindowOpen, type Member, type PolicyView, type Room, roomOf } from './places.ts';
import { nextOpening } from './windows.ts';

/** Who is to stand in the status of a policy, if that is still as it was seen. */
export interface PlaceWrite {
  policy: DrainPolicy;
  begun: readonly Begun[];
}

/** Why a Machine may not begin yet. */
export type PlaceWait =
  /** `opensAt`: undefined where no window opens within 366 days. */
  | { kind: 'window'; policy: string; opensAt: Instant | undefined }
  | {
      kind: 'place';
      policy: string;
      limit: number;
      begun: readonly Begun[];
      /** Names of living Machines that count against this one. */
      ailing: readonly string[];
      /** Names of those that come before it. */
      ahead: readonly string[];
    };

/** What follows from DrainPolicies for a Machine that has come to the wait for places. */
export type Place =
  /** No policy is for it. */
  | { kind: 'none' }
  /** It cannot be told which are for it. */
  | { kind: 'unclear'; why: string }
  /** It has all its places. */
  | { kind: 'pass' }
  | { kind: 'take'; writes: readonly PlaceWrite[] }
  /** It has a place in some of its policies, and gets none in another one. */
  | { kind: 'give-back'; writes: readonly PlaceWrite[] }
  | ({ kind: 'wait' } & { for: PlaceWait });

/**
 * What follows for a Machine. `taken`: UIDs of the policies in which this very step has written its place. A place that
 * was found is written once more: the write of who gives it back fails then.
 */
export function choosePlace(
  view: PolicyView,
  machine: Member,
  { taken, now }: { taken: ReadonlySet<string>; now: Instant },
): Place {
  const unclear = unclearFor(view, machine);
  if (unclear.length > 0) return { kind: 'unclear', why: unclear.join('; ') };
  const rooms = view.policies.map((policy) => roomOf(policy, view));
  const its = rooms.filter(({ policy }) => isFor(policy, machine));
  if (!isSome(its)) return { kind: 'none' };
  if (its.every((room) => !isLimited(room) || taken.has(room.policy.uid)) && its.some(isLimited))
    return { kind: 'pass' };
  const had = its.filter(({ counting }) => counting.has(machine.uid));
  const hasAll = had.length > 0 && its.every((room) => !isLimited(room) || had.includes(room));
  if (hasAll || admitted(view, rooms, now).has(machine.uid)) return takeAll(its, machine, taken, now);
  if (had.length > 0)
    return { kind: 'give-back', writes: had.map((room) => writeOf(room, machine, undefined)) };
  return { kind: 'wait', for: waitOf(view, its, machine, now) };
}

const isLimited = ({ limit }: Room): boolean => limit !== Infinity;

type Some<T> = readonly [T, ...T[]];
const isSome = <T>(list: readonly T[]): list is Some<T> => list.length > 0;

function takeAll(its: readonly Room[], machine: Member, taken: ReadonlySet<string>, now: Instant): Place {
  const lacking = its.filter((room) => isLimited(room) && !taken.has(room.policy.uid));
  if (lacking.length === 0) return { kind: 'pass' };
  return { kind: 'take', writes: lacking.map((room) => writeOf(room, machine, now)) };
}

/** `since`: undefined where its place is given back. */
function writeOf({ policy, counting }: Room, { uid, name }: Member, since: Instant | undefined): PlaceWrite {
  const others = [...counting.values()].filter((begun) => begun.uid !== uid);
  if (since === undefined) return { policy, begun: others };
  const before = counting.get(uid)?.since;
  const at = new Date(since).toISOString();
  // A place that is written once more must make a new version, so its time differs.
  return { policy, begun: [...others, { uid, name, since: before === at ? rfc3339Seconds(since) : at }] };
}

/** By the first policy, in order of names, that does not let it begin. */
function waitOf(view: PolicyView, its: Some<Room>, machine: Member, now: Instant): PlaceWait {
  const closed = its.find(({ policy }) => !isWindowOpen(policy, machine, now));
  if (closed !== undefined) {
    const { name: policy, spec } = closed.policy;
    return { kind: 'window', policy, opensAt: nextOpening(spec.windows, now) };
  }
  const isFree = (room: Room): boolean => againstIt(room, machine) < room.limit;
  const room = its.find((each) => !isFree(each)) ?? its.find(isLimited) ?? its[0];
  const { policy, limit, counting, ailing } = room;
  return {
    kind: 'place',
    policy: policy.name,
    limit,
    begun: [...counting.values()],
    ailing: machine.isReady === false ? [] : ailing,
    ahead: aheadOf(view, room, machine, now),
  };
}

const againstIt = ({ counting, ailing }: Room, { isReady }: Member): number =>
  counting.size + (isReady === false ? 0 : ailing.length);

/** Who comes before it, without those that wait for something else. */
function aheadOf(view: PolicyView, { policy, counting }: Room, machine: Member, now: Instant): string[] {
  const line = inLine(view.members).filter((member) => isFor(policy, member) && !counting.has(member.uid));
  const position = line.findIndex(({ uid }) => uid === machine.uid);
  return line
    .slice(0, position === -1 ? undefined : position)
    .filter((member) => !member.waitsElsewhere && isWindowOpen(policy, member, now))
    .map(({ name }) => name);
}
