import type { Cache } from './cache.ts';

/**
 * An API server forgets an Event after an hour, also where what it tells goes on: after this time it is made again, and
 * refused where it is still there.
 */
const toldMilliseconds = 10 * 60_000;

/** Whether this is something else than was told of the Machine last (see `reportKey`); it counts as told now. */
export function isNewReport(cache: Cache, uid: string, key: string): boolean {
  const isNew = cache.notes(uid).told?.key !== key;
  if (isNew) cache.note(uid, { told: { key, age: cache.clock.stopwatch() } });
  return isNew;
}

/** Whether the last report was told so long ago that its Event may have been forgotten; it counts as told now. */
export function isReportExpired(cache: Cache, uid: string): boolean {
  const { told } = cache.notes(uid);
  if (told === undefined || told.age() < toldMilliseconds) return false;
  cache.note(uid, { told: { ...told, age: cache.clock.stopwatch() } });
  return true;
}

/** What was told last has not been heard: the next time it is news again. */
export const forgetReport = (cache: Cache, uid: string): void => cache.note(uid, { told: undefined });
