import type { Selectable } from '../machine/selection.ts';
import { compareBytes } from '../text/byte-order.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import { type Begun, type DrainPolicy, isFor, type Policies, unclearFor } from './drain-policy.ts';
import { isOpen } from './windows.ts';

/** A Machine of the namespace, as DrainPolicies see it. */
export interface Member extends Selectable {
  uid: string;
  name: string;
  deletedAt?: Instant;
  /** Whether its Node is Ready; undefined where nothing tells. */
  isReady: boolean | undefined;
  /** Since when it counts by its own words. It is past the wait for places, or no hold of ours stops it. */
  begunAt?: Instant;
  /** It waits for something else, such as a pause or a hook of others. So it holds up no Machine behind it. */
  waitsElsewhere: boolean;
}

/** All that places follow from, as it was read for one decision. */
export interface PolicyView extends Policies {
  members: readonly Member[];
  /** UIDs of Machines with a place that a read has proven to be gone. */
  gone: ReadonlySet<string>;
}

/** A policy with what counts for it. */
export interface Room {
  policy: DrainPolicy;
  /** All that count, by UID. */
  counting: ReadonlyMap<string, Begun>;
  /** Names of living Machines without a Node that is known to be Ready. */
  ailing: readonly string[];
  /** How many may count at once; Infinity where the policy does not say. */
  limit: number;
}

/** What counts for a policy, and how many may. */
export function roomOf(policy: DrainPolicy, { members, gone }: Pick<PolicyView, 'members' | 'gone'>): Room {
  const its = members.filter((member) => isFor(policy, member));
  const counting = new Map(
    policy.begun.flatMap((begun) => (gone.has(begun.uid) ? [] : [[begun.uid, begun] as const])),
  );
  for (const { uid, name, begunAt } of its)
    if (begunAt !== undefined && !counting.has(uid))
      counting.set(uid, { uid, name, since: rfc3339Seconds(begunAt) });
  const living = its.filter(({ deletedAt }) => deletedAt === undefined);
  return {
    policy,
    counting,
    ailing: living.filter(({ isReady }) => isReady !== true).map(({ name }) => name),
    limit: limitOf(policy.spec.maxUnavailable, living.length + counting.size),
  };
}

function limitOf(maxUnavailable: DrainPolicy['spec']['maxUnavailable'], all: number): number {
  if (maxUnavailable === undefined) return Infinity;
  if (typeof maxUnavailable === 'number') return maxUnavailable;
  return Math.max(1, Math.floor((all * Number.parseInt(maxUnavailable, 10)) / 100));
}

/** Machines that wait, in the order in which they may begin: the control plane first, then by their deletion. */
export const inLine = (members: readonly Member[]): Member[] =>
  members
    .filter(({ deletedAt, begunAt }) => deletedAt !== undefined && begunAt === undefined)
    .toSorted(
      (a, b) =>
        Number(b.isControlPlane) - Number(a.isControlPlane) ||
        (a.deletedAt ?? 0) - (b.deletedAt ?? 0) ||
        compareBytes(a.name, b.name),
    );

/** Only where a Node is known not to be Ready may its Machine begin as a broken one. */
const isBroken = ({ isReady }: Member): boolean => isReady === false;

/** Whether the windows of a policy let the Machine begin now. */
export const isWindowOpen = ({ spec }: DrainPolicy, member: Member, now: Instant): boolean =>
  (spec.windowsFor === 'Healthy' && isBroken(member)) || isOpen(spec.windows, now);

/** Who counts against a Machine: all that have begun, and for one with a Ready Node those that are not. */
const countedAgainst = (member: Member, begun: number, { ailing }: Room): number =>
  begun + (isBroken(member) ? 0 : ailing.length);

/**
 * Who may begin now, by UID. Each takes its places in all of its policies, or in none. So who waits for a window or for another policy
 * holds up no Machine behind it.
 */
export function admitted(view: PolicyView, rooms: readonly Room[], now: Instant): ReadonlySet<string> {
  const taken = new Map(rooms.map((room) => [room, room.counting.size]));
  const may = new Set<string>();
  for (const member of inLine(view.members)) {
    if (member.waitsElsewhere || unclearFor(view, member).length > 0) continue;
    const lacking = rooms.filter(
      ({ policy, counting }) => isFor(policy, member) && !counting.has(member.uid),
    );
    const isFree = lacking.every(
      (room) =>
        isWindowOpen(room.policy, member, now) &&
        countedAgainst(member, taken.get(room) ?? 0, room) < room.limit,
    );
    if (!isFree) continue;
    for (const room of lacking) taken.set(room, (taken.get(room) ?? 0) + 1);
    may.add(member.uid);
  }
  return may;
}
