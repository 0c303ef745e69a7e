import { createHash } from 'node:crypto';
import type { Reason } from '../machine/reason.ts';
import type { Cache } from './cache.ts';
import type { StatusWrite } from './machine-notes.ts';

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
  const writes = cache.notes(uid).statusWrites ?? [];
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
  cache.note(uid, { statusWrites: [...(cache.notes(uid).statusWrites ?? []), write].slice(-maxWrites) });
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
