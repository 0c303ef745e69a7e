import type { HookState } from '../machine/hook-call.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { Instant } from '../time/clock.ts';
import type { Asked } from './asked.ts';

interface Known {
  records: readonly HookRecord[];
  now: Instant;
}

/** Where the turn of one DeletionHook stands, for all who tell of it. */
export interface Standing {
  asked: Asked;
  /** How often its function was asked. */
  attempt: number;
  state?: HookState;
  message?: string;
  silentSince?: Instant;
  /** Why it is silent, as far as anything tells. */
  because?: string;
  /** When its time limit ended; only where that is over. */
  overSince?: Instant;
}

/** Longer than any look comes late. Only what stops all asking, such as a pause, takes more. */
const lateMilliseconds = 60_000;

/** The last call before a time limit ends has this long for its answer. Calls are written down no more often. */
const graceMilliseconds = 30_000;

/** What is remembered of the turn that the hook is in. */
export const recordOf = (
  { uid, begin }: Asked,
  { records }: Pick<Known, 'records'>,
): HookRecord | undefined => records.find((record) => record.hook === uid && record.begin === beginOf(begin));

const beginOf = (begin: string | undefined): Instant => Date.parse(begin ?? '');

const resumedAt = ({ begin, resumed = begin }: Asked): Instant => beginOf(resumed);

/** A turn has a slot of time for each call. */
const slotAt = ({ begin, everySeconds }: Asked, at: Instant): number =>
  Math.max(0, Math.floor((at - beginOf(begin)) / (everySeconds * 1_000)));

/** Counts the slots from 1: the same slot is the same call. */
export const attemptAt = (asked: Asked, now: Instant): number => slotAt(asked, now) + 1;

/** When it was asked last, as far as anything tells. An answer tells, too: none leads to another call by itself. */
function lastAsked(asked: Asked, known: Pick<Known, 'records'>): Instant | undefined {
  const { askedAt, answer } = recordOf(asked, known) ?? {};
  const said = asked.said === undefined ? undefined : Date.parse(asked.said.at);
  const times = [askedAt, answer?.at, said].filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** When the function is to be asked next: once in a slot, and no sooner than it has asked for. */
function dueAt(asked: Asked, known: Pick<Known, 'records'>): Instant {
  const { answer } = recordOf(asked, known) ?? {};
  const askedAt = lastAsked(asked, known);
  if (askedAt === undefined) return resumedAt(asked);
  const slotEnd = beginOf(asked.begin) + (slotAt(asked, askedAt) + 1) * asked.everySeconds * 1_000;
  const wished = answer === undefined ? 0 : answer.at + (answer.retryAfterSeconds ?? 0) * 1_000;
  return Math.max(slotEnd, wished, resumedAt(asked));
}

/** Whether its function is asked now. */
export const isDue = (asked: Asked, known: Known): boolean =>
  dueAt(asked, known) <= known.now && !isGivenUp(asked, known);

/** When its last call was, by the record of its calls, and by the Machine where that is lost. */
function calledAt(asked: Asked, known: Pick<Known, 'records'>): Instant | undefined {
  const called = asked.called === undefined ? undefined : Date.parse(asked.called);
  return recordOf(asked, known)?.askedAt ?? called;
}

/** Its time limit lets the Machine go on, and its last call only has its answer time left. */
const isGivenUp = (asked: Asked, known: Known): boolean =>
  asked.onTimeout === 'Proceed' && isOver(asked, known.now) && isCallKnown(asked, known);

/** The Machine tells of a call right before that is made. So its word alone counts once an answer could have come. */
function isCallKnown(asked: Asked, known: Known): boolean {
  if (recordOf(asked, known)?.askedAt !== undefined) return true;
  const at = calledAt(asked, known);
  return at !== undefined && at + answerTime(asked) <= known.now;
}

/** How long a call has for its answer before a time limit passes it. */
const answerTime = ({ everySeconds }: Asked): number => Math.min(graceMilliseconds, everySeconds * 1_000);

/**
 * How long nothing could be asked before now, in whole seconds: looks never come that late by themselves. Where the
 * record of the calls is lost, this is the time since anything is known of the turn.
 */
export function stoppedFor(asked: Asked, known: Known): number {
  const since = Math.max(dueAt(asked, known), calledAt(asked, known) ?? 0);
  const late = known.now - since;
  return late > lateMilliseconds ? Math.floor(late / 1_000) : 0;
}

/** Whether its call of now is written on the Machine. The record is lost, and the Machine tells of no call of late. */
export function isToWriteCall(asked: Asked, known: Known): boolean {
  if (recordOf(asked, known)?.askedAt !== undefined || !isDue(asked, known)) return false;
  return known.now - (calledAt(asked, known) ?? beginOf(asked.begin)) >= graceMilliseconds;
}

/** When the time limit of the turn ends. */
export function deadlineOf({ begin, timeoutSeconds, stoppedSeconds = 0 }: Asked): Instant | undefined {
  if (timeoutSeconds === undefined || begin === undefined) return undefined;
  return beginOf(begin) + (timeoutSeconds + stoppedSeconds) * 1_000;
}

function isOver(asked: Asked, now: Instant): boolean {
  const deadline = deadlineOf(asked);
  return deadline !== undefined && deadline <= now;
}

/** Whether its time limit lets the Machine go on now. A call that is known has had time for its answer before. */
export const isToProceed = (asked: Asked, known: Known): boolean =>
  isGivenUp(asked, known) && graceEnd(asked, known) <= known.now;

function graceEnd(asked: Asked, known: Pick<Known, 'records'>): Instant {
  const at = calledAt(asked, known);
  return at === undefined ? Infinity : at + answerTime(asked);
}

/** When something was heard of its function last, or when asking began. */
export function heardAt(asked: Asked, known: Pick<Known, 'records'>): Instant {
  const saidAt = asked.said === undefined ? 0 : Date.parse(asked.said.at);
  return Math.max(recordOf(asked, known)?.answer?.at ?? 0, saidAt, resumedAt(asked));
}

/** How many calls came since then: one in each slot. */
export const callsSince = (asked: Asked, since: Instant, now: Instant): number =>
  Math.max(1, slotAt(asked, now) - slotAt(asked, since));

/** When a hook becomes silent, if it says nothing more. */
function silentFrom(asked: Asked, known: Pick<Known, 'records'>): Instant {
  const answer = recordOf(asked, known)?.answer;
  const wished = answer === undefined ? 0 : answer.at + (answer.retryAfterSeconds ?? 0) * 1_000;
  return Math.max(wished, heardAt(asked, known)) + asked.silentAfterSeconds * 1_000;
}

/** Whether nothing was heard of its function for too long. */
export const isSilent = (asked: Asked, known: Known): boolean => silentFrom(asked, known) <= known.now;

/** When something may change without an answer: the next call, silence, or the end of its time. */
export function nextLook(asked: Asked, known: Known): Instant {
  const deadline = deadlineOf(asked);
  const ahead = [
    isGivenUp(asked, known) ? graceEnd(asked, known) : dueAt(asked, known),
    silentFrom(asked, known),
    ...(deadline === undefined ? [] : [deadline]),
  ].filter((at) => at > known.now);
  return Math.min(...ahead, known.now + lateMilliseconds * 60);
}

/** Where its turn stands, by what the Machine says. */
export function standingOf(asked: Asked, { now }: Pick<Known, 'now'>): Standing {
  const { said, silentSince, silence } = asked;
  const overSince = isOver(asked, now) ? deadlineOf(asked) : undefined;
  return {
    asked,
    attempt: asked.begin === undefined ? 0 : attemptAt(asked, now),
    ...(said !== undefined && { state: said.state }),
    ...(said?.message !== undefined && { message: said.message }),
    ...(silentSince !== undefined && { silentSince: Date.parse(silentSince) }),
    ...(silentSince !== undefined && silence !== undefined && { because: silence.text }),
    ...(overSince !== undefined && { overSince }),
  };
}
