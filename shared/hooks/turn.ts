import type { HookPlace } from '../machine/hook-call.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { Machine } from '../machine/machine.ts';
import type { Instant } from '../time/clock.ts';
import { type Asked, askedAt, askedOf, askedOn, isPending } from './asked.ts';
import type { Selected } from './deletion-hook.ts';
import { advancedTurn, type Ended } from './ends.ts';
import { attemptAt, deadlineOf, isDue, nextLook, type Standing, standingOf } from './times.ts';

/** All that the turns of one place follow from. */
export interface TurnInput {
  /** As the Machine says; undefined where the place was not reached. */
  asked: readonly Asked[] | undefined;
  /** Who is to be asked, while the Machine does not say so. */
  selected: Selected;
  records: readonly HookRecord[];
  /** Names of those that are silent, and that no Trigger delivers the calls of. */
  undelivered?: readonly string[];
  /** Whether there is a key for the tokens. Without one nothing can be asked. */
  hasKey: boolean;
  /** Why the Machine API itself passes hooks over here. */
  bypass: string | undefined;
  /** The Cluster of the Machine is being deleted. */
  clusterGoes: boolean;
  now: Instant;
  /** When a turn begins that begins now. */
  beginning: Instant;
}

/** A question that is due. */
export interface DueCall {
  asked: Asked;
  begin: Instant;
  attempt: number;
  deadline?: Instant;
}

/** What follows for a Machine at a place. */
export type Turn =
  /** Nothing is asked for it. */
  | { kind: 'none' }
  /** What is to be written on the Machine before anything else: all of the place. */
  | { kind: 'save'; asked: readonly Asked[]; ended: readonly Ended[] }
  | { kind: 'call'; calls: readonly DueCall[]; standing: readonly Standing[]; later: readonly string[] }
  /** `look`: when something may change without an answer. */
  | { kind: 'wait'; look: Instant; standing: readonly Standing[]; later: readonly string[] }
  /** Who is to be asked cannot be told, or nothing can be asked. */
  | { kind: 'held'; why: string; hooks: readonly string[] }
  /** All turns have ended. */
  | { kind: 'pass'; asked: readonly Asked[] };

/** Why nothing can be asked without a key for tokens, and nothing passes. */
export const noKey =
  'there is no key for their tokens: PHASEOUT_HOOK_KEY names the Secret that should have it';

/** Takes the turns of a place one step further: write down, ask, wait, or pass. */
export function takeTurn(input: TurnInput): Turn {
  const { asked, selected, bypass, hasKey, now } = input;
  if (asked === undefined && bypass === undefined && selected.unclear.length > 0)
    return { kind: 'held', why: selected.unclear.join('; '), hooks: [] };
  const before = asked ?? selected.hooks.map(askedOf);
  if (before.length === 0) return { kind: 'none' };
  // A turn that begins is saved before its first call, so nothing begins that cannot be asked.
  const { after, ended, isChanged } = advancedTurn(before, input);
  if (asked === undefined && !hasKey && after.some(isPending)) return withoutKey(after);
  if (asked === undefined || isChanged) return { kind: 'save', asked: after, ended };
  const group = presentGroup(asked);
  if (group.length === 0) return { kind: 'pass', asked };
  if (!hasKey) return withoutKey(asked);
  const standing = group.map((each) => standingOf(each, input));
  const due = group.filter((each) => isDue(each, input));
  const later = askedLater(asked);
  if (due.length > 0) return { kind: 'call', calls: due.map((each) => callOf(each, now)), standing, later };
  return {
    kind: 'wait',
    look: Math.min(...group.map((each) => nextLook(each, input))),
    standing,
    later,
  };
}

/** The pending ones of the lowest order: they are asked at once. */
export function presentGroup(asked: readonly Asked[]): Asked[] {
  const pending = asked.filter(isPending);
  const lowest = Math.min(...pending.map(({ order }) => order));
  return pending.filter(({ order }) => order === lowest);
}

/** Where the turns stand that a Machine waits for, as it says: those of the place that it has reached. */
export function presentStanding(machine: Pick<Machine, 'annotations' | 'ref'>, now: Instant): Standing[] {
  // Somebody may have taken the hook off under which those before the drain were asked.
  const last = askedOn(machine).findLast(({ place }) => place === 'PreTerminate') ?? askedOn(machine)[0];
  return last === undefined ? [] : standingAt(machine, last.place, now);
}

/** The same of one place. */
export const standingAt = (
  machine: Pick<Machine, 'annotations' | 'ref'>,
  place: HookPlace,
  now: Instant,
): Standing[] => presentGroup(askedAt(machine, place) ?? []).map((each) => standingOf(each, { now }));

/** The names of those that are asked after them. */
export function askedLater(asked: readonly Asked[]): string[] {
  const group = presentGroup(asked);
  return asked.filter((each) => isPending(each) && !group.includes(each)).map(({ name }) => name);
}

const withoutKey = (asked: readonly Asked[]): Turn => ({
  kind: 'held',
  why: noKey,
  hooks: asked.filter(isPending).map(({ name }) => name),
});

function callOf(asked: Asked, now: Instant): DueCall {
  const begin = Date.parse(asked.begin ?? '');
  const deadline = deadlineOf(asked);
  return {
    asked,
    begin,
    attempt: attemptAt(asked, now),
    ...(deadline !== undefined && { deadline }),
  };
}
