import type { Went } from '../../views.ts';

/** `3 s`, `4 m 10 s`, `2 h 5 m`, `3 d 4 h`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24];
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} m`;
  return minutes > 0 ? `${minutes} m ${seconds % 60} s` : `${seconds} s`;
}

/** In the reader's own time zone. */
export const clockTime = (time: number | string): string =>
  new Date(time).toLocaleTimeString(undefined, { hour12: false });

const dateTime = (time: number | string): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium', hour12: false });

/** When something went: `at 10:03:12`, or between which two times, where it was not seen to go. */
export function timeOf({ at, after }: Went): string {
  if (after === undefined) return `at ${clockTime(at)}`;
  const isOneDay = new Date(after).toDateString() === new Date(at).toDateString();
  const told = isOneDay ? clockTime : dateTime;
  return `between ${told(after)} and ${told(at)}`;
}
