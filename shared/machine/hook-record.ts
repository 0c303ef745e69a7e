import type { Instant } from '../time/clock.ts';
import type { HookState } from './hook-call.ts';

/** What a function said last in a turn, and when that came. */
export interface HeardAnswer {
  state: HookState;
  message?: string;
  at: Instant;
  retryAfterSeconds?: number;
}

/** A call that the Broker has given up. */
export interface GivenUpCall {
  at: Instant;
  /** What the function answered; absent where nothing came back. */
  status?: number;
}

/** What is remembered of a turn of a DeletionHook. The store may forget it: a call repeats then, and nothing passes. */
export interface HookRecord {
  /** UID of the DeletionHook. */
  hook: string;
  /** When the turn began, as the Machine says. */
  begin: Instant;
  /** When the function was asked last. */
  askedAt?: Instant;
  answer?: HeardAnswer;
  /** The last call that the Broker has given up. */
  givenUp?: GivenUpCall;
}

/** Two records of one turn as one: the later call, the later answer, and the later end of a call. Done stays. */
export function mergedRecord(one: HookRecord, other: HookRecord): HookRecord {
  const askedAt = laterOf(one.askedAt, other.askedAt);
  const answer = decisive(one.answer, other.answer);
  const givenUp = laterCall(one.givenUp, other.givenUp);
  const { hook, begin } = one;
  return {
    hook,
    begin,
    ...(askedAt !== undefined && { askedAt }),
    ...(answer && { answer }),
    ...(givenUp && { givenUp }),
  };
}

/** Names a turn among those of a Machine. */
export const turnKey = ({ hook, begin }: Pick<HookRecord, 'hook' | 'begin'>): string => `${hook}#${begin}`;

const laterOf = (one: Instant | undefined, other: Instant | undefined): Instant | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

const laterCall = (one: GivenUpCall | undefined, other: GivenUpCall | undefined): GivenUpCall | undefined =>
  one === undefined || other === undefined ? (one ?? other) : other.at >= one.at ? other : one;

function decisive(one: HeardAnswer | undefined, other: HeardAnswer | undefined): HeardAnswer | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const done = [one, other].find(({ state }) => state === 'Done');
  return done ?? (other.at >= one.at ? other : one);
}
