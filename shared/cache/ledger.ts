import { createHash } from 'node:crypto';
import type { MachineEvent } from '../machine/kubernetes-event.ts';
import type { Reason } from '../machine/reason.ts';
import type { Cache } from './cache.ts';
import type { Reported, StatusWrite } from './machine-notes.ts';

/** What this instance has reported of the Machine last. */
export const reported = (cache: Cache, uid: string): Readonly<Reported> => cache.notes(uid).reported ?? {};

/** Remembers this report too, in place of the last one of the same channel. */
export const noteReported = (cache: Cache, uid: string, changes: Reported): void =>
  cache.note(uid, { reported: { ...reported(cache, uid), ...changes } });

/** For so long another instance's word is let stand. */
export const justMilliseconds = 10_000;

/** What has failed is tried again after this time, and may turn out meanwhile to be something else, but not for ever. */
const retryMilliseconds = 5_000;
const maxTexts = 2;

/** An API server that refuses one status mostly refuses all, and its words change. */
const refusedMilliseconds = 60_000;

/** Of one Machine, whatever happens. */
const maxWrites = 8;

/** A status that a Machine should have. */
export interface WantedStatus {
  status: Record<string, unknown>;
  /** The status that it has, at this resourceVersion. */
  over: unknown;
  version: string;
  /** The reason, where it says that something failed. */
  failure: Reason | undefined;
}

/**
 * Whether this status may be written.
 * - `in-vain`: the API server has refused one for this version of the Machine, or has accepted this one without a change.
 * - `too-soon`: two writers would answer each other. Either the same status replaced the same one a moment ago and was put
 *   back since, or it is one more text for a failure that was told before the next attempt: some errors have another text
 *   each time.
 */
export function judgeStatusWrite(
  cache: Cache,
  uid: string,
  wanted: WantedStatus,
): 'write' | 'in-vain' | 'too-soon' {
  const writes = reported(cache, uid).statusWrites ?? [];
  if (writes.length === 0) return 'write';
  const hash = hashOf(wanted);
  if (writes.some((write) => isVain(write, wanted.version, hash))) return 'in-vain';
  const recent = writes.filter(({ outcome, age }) => outcome === 'written' && age() < justMilliseconds);
  if (recent.some((write) => write.hash === hash)) return 'too-soon';
  const { failure } = wanted;
  const isSame = (write: StatusWrite): boolean =>
    write.failure === failure && write.age() < retryMilliseconds;
  return failure !== undefined && recent.filter(isSame).length >= maxTexts ? 'too-soon' : 'write';
}

/** Remembers what became of a status that was sent. */
export function rememberStatusWrite(
  cache: Cache,
  uid: string,
  wanted: WantedStatus,
  outcome: StatusWrite['outcome'],
): void {
  const { version, failure } = wanted;
  const write = { outcome, hash: hashOf(wanted), version, failure, age: cache.clock.stopwatch() };
  noteReported(cache, uid, {
    statusWrites: [...(reported(cache, uid).statusWrites ?? []), write].slice(-maxWrites),
  });
}

function isVain(
  { outcome, version, hash, age }: StatusWrite,
  wantedVersion: string,
  wanted: string,
): boolean {
  if (outcome === 'written' || version !== wantedVersion) return false;
  return outcome === 'refused' ? age() < refusedMilliseconds : hash === wanted;
}

/** A time that the API does not store differs at each step: the same status with another time is the same. */
function hashOf({ status, over }: WantedStatus): string {
  const timeless = JSON.stringify([status, over]).replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, 'time');
  return createHash('sha256').update(timeless).digest('base64');
}

/**
 * An API server forgets an Event after an hour, also where what it tells goes on: after this time it is made again, and
 * refused where it is still there.
 */
const expiryMilliseconds = 10 * 60_000;

/** Whether this is something else than was told of the Machine last (see `reportKey`); it counts as told now. */
export function isNewReport(cache: Cache, uid: string, key: string): boolean {
  const isNew = reported(cache, uid).wait?.key !== key;
  if (isNew) noteReported(cache, uid, { wait: { key, age: cache.clock.stopwatch() } });
  return isNew;
}

/** Whether the last report was told so long ago that its Event may have been forgotten; it counts as told now. */
export function isReportExpired(cache: Cache, uid: string): boolean {
  const { wait } = reported(cache, uid);
  if (wait === undefined || wait.age() < expiryMilliseconds) return false;
  noteReported(cache, uid, { wait: { ...wait, age: cache.clock.stopwatch() } });
  return true;
}

/** What was told last has not been heard: the next time it is news again. */
export const forgetReport = (cache: Cache, uid: string): void =>
  noteReported(cache, uid, { wait: undefined });

/** A permission that is missing for good costs a request for each Machine in this time, and not one at each look. */
const restMilliseconds = 30_000;

/** The last ones say how it stands. */
const maxEvents = 10;

/**
 * Keeps Events that a permission or a policy forbids to write: where an API shows nothing else, only they explain the wait.
 * Those of the same step that are kept already need not wait any longer for these.
 */
export function keepUnsent(cache: Cache, uid: string, seq: number, events: readonly MachineEvent[]): void {
  const unsent = reported(cache, uid).unsentEvents;
  const before = unsent?.seq === seq ? unsent : { events: [], age: cache.clock.stopwatch() };
  const all = [...before.events, ...events].slice(-maxEvents);
  noteReported(cache, uid, { unsentEvents: { seq, events: all, age: before.age } });
}

/** What is tried again now, and kept no longer. What is of an earlier step is told no more. */
export function takeUnsent(cache: Cache, uid: string, seq: number): readonly MachineEvent[] {
  const unsent = reported(cache, uid).unsentEvents;
  if (unsent === undefined || (unsent.seq === seq && unsent.age() < restMilliseconds)) return [];
  noteReported(cache, uid, { unsentEvents: undefined });
  return unsent.seq === seq ? unsent.events : [];
}
