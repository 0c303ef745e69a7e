import type { Instant } from '../time/clock.ts';

/** After so long what usually ends by itself may not. Cluster API begins to call a deletion late then. */
const longMilliseconds = 15 * 60_000;

/** Whether it has lasted longer than such a thing should. */
export const isLong = (since: string | undefined, now: Instant): boolean =>
  since !== undefined && now - Date.parse(since) > longMilliseconds;

/** `40 s`, `12 min`, `3 h`, `2 d`. */
export function lasting(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** `for 12 min`; empty where nothing says since when. */
export const lastingSince = (since: string | undefined, now: Instant): string =>
  since === undefined ? '' : lasting(now - Date.parse(since));
