import { createHash } from 'node:crypto';
import type { Reason } from '../machine/reason.ts';
import type { MachineEvent } from '../machine/report.ts';
import { sortedFields } from '../text/byte-order.ts';
import type { Cache } from './cache.ts';
import type { Reported, StatusWrite } from './machine-notes.ts';

/** What this instance has reported of the Machine last. */
export const reported = (cache: Cache, uid: string): Readonly<Reported> => cache.notes(uid).reported ?? {};

/** Remembers this report too, in place of the last one of the same channel. */
export const noteReported = (cache: Cache, uid: string, changes: Reported): void =>
  cache.note(uid, { reported: { ...reported(cache, uid), ...changes } });

/** For this long the status of another instance stands. */
export const justMilliseconds = 10_000;

/** A failure is tried again after this time. Until then the status gets at most `maxTexts` texts for it. */
const retryMilliseconds = 5_000;
const maxTexts = 2;

/** An API server that refuses one status mostly refuses all, with changing messages. */
const refusedMilliseconds = 60_000;

/** Writes that are remembered for each Machine. */
const maxWrites = 8;

/** A status that a Machine should have. */
export interface WantedStatus {
  status: Record<string, unknown>;
  /** The status that it has, at this resourceVersion. */
  over: unknown;
  version: string;
  /** The reason, if the status shows a failure. */
  failure: Reason | undefined;
}

/**
 * Whether this status may be written.
 * - `in-vain`: the API server refused one for this version, or accepted this one without a change.
 * - `too-soon`: two writers would answer each other. Another writer put the status back that this one replaced a
 *   moment ago. Or this is one more text for a failure that the status shows already. Some errors have another text
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

/** Remembers the outcome of a status write. */
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

/**
 * Ignores times. Each step has another time, even where the API does not store it. Ignores the order of fields, too: an
 * answer of the API has another one than what was just made.
 */
function hashOf({ status, over }: WantedStatus): string {
  const timeless = JSON.stringify([status, over], sortedFields).replaceAll(
    /"\d{4}-\d\d-\d\dT[\d:.]+Z"/g,
    'time',
  );
  return createHash('sha256').update(timeless).digest('base64');
}

/**
 * An API server forgets an Event after an hour, even while its cause lasts. After this time the Event is made again.
 * A server that still has it refuses the repeat.
 */
const expiryMilliseconds = 10 * 60_000;

/** Whether this differs from the last report of the Machine (see `reportKey`). If so, it becomes the last report. */
export function isNewReport(cache: Cache, uid: string, key: string): boolean {
  const isNew = reported(cache, uid).wait?.key !== key;
  if (isNew) noteReported(cache, uid, { wait: { key, age: cache.clock.stopwatch() } });
  return isNew;
}

/** Whether the API server may have forgotten the Event of the last report. If so, the report counts as made now. */
export function isReportExpired(cache: Cache, uid: string): boolean {
  const { wait } = reported(cache, uid);
  if (wait === undefined || wait.age() < expiryMilliseconds) return false;
  noteReported(cache, uid, { wait: { ...wait, age: cache.clock.stopwatch() } });
  return true;
}

/** The last report did not get through, so the next one counts as new. */
export const forgetReport = (cache: Cache, uid: string): void =>
  noteReported(cache, uid, { wait: undefined });

/** A missing permission costs one request for each Machine in this time, not one at each look. */
const restMilliseconds = 30_000;

/** Keeps the last ones: they show the current state. */
const maxEvents = 10;

/**
 * Keeps Events that a permission or a policy forbids. Where an API shows nothing else, only they explain the wait.
 * Events kept before, of the same step, do not wait longer because of these.
 */
export function keepUnsent(cache: Cache, uid: string, seq: number, events: readonly MachineEvent[]): void {
  const unsent = reported(cache, uid).unsentEvents;
  const before = unsent?.seq === seq ? unsent : { events: [], age: cache.clock.stopwatch() };
  const all = [...before.events, ...events].slice(-maxEvents);
  noteReported(cache, uid, { unsentEvents: { seq, events: all, age: before.age } });
}

/** Takes the kept Events that are due for another try. Drops those of an earlier step. */
export function takeUnsent(cache: Cache, uid: string, seq: number): readonly MachineEvent[] {
  const unsent = reported(cache, uid).unsentEvents;
  if (unsent === undefined || (unsent.seq === seq && unsent.age() < restMilliseconds)) return [];
  noteReported(cache, uid, { unsentEvents: undefined });
  return unsent.seq === seq ? unsent.events : [];
}
