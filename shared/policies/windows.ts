import { Cron } from 'croner';
import type { Instant } from '../time/clock.ts';

/** When drains may begin: from each time of a schedule on, for so long. */
export interface Window {
  /** Five fields, as cron has them. */
  schedule: string;
  /** An IANA name, such as Europe/Berlin. */
  timeZone: string;
  durationSeconds: number;
}

const furthestMilliseconds = 366 * 86_400_000;

/**
 * The times of a schedule. A time that the clock skips comes with the next minute. A time that the clock repeats comes
 * once.
 */
const cronOf = ({ schedule, timeZone }: Pick<Window, 'schedule' | 'timeZone'>): Cron =>
  new Cron(schedule, { timezone: timeZone, mode: '5-part', sloppyRanges: true });

/** The first time of a schedule after `since`. Undefined where none comes within 366 days. */
function nextTime(window: Window, since: Instant): Instant | undefined {
  const next = cronOf(window).nextRun(new Date(since))?.getTime();
  return next === undefined || next - since > furthestMilliseconds ? undefined : next;
}

/** What is wrong with a schedule or a time zone; undefined where both can be read. */
export function scheduleProblem(window: Pick<Window, 'schedule' | 'timeZone'>): string | undefined {
  // The parser takes a date for a schedule of one time, too.
  if (window.schedule.trim().split(/\s+/).length !== 5) return 'is no schedule of five fields';
  try {
    cronOf(window).nextRun(new Date(0));
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return isZone(window.timeZone)
      ? `is no schedule: ${why.replace(/^\w+: /, '')}`
      : `has an unknown time zone: ${window.timeZone}`;
  }
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone }).format(0);
    return true;
  } catch {
    return false;
  }
}

/** Whether a drain may begin now. Without windows it always may. Windows that overlap are one. */
export const isOpen = (windows: readonly Window[], now: Instant): boolean =>
  windows.length === 0 || windows.some((window) => isWithin(window, now));

function isWithin(window: Window, now: Instant): boolean {
  const opened = nextTime(window, now - window.durationSeconds * 1_000);
  return opened !== undefined && opened <= now;
}

/** When the next window opens that is not open now. Undefined where none opens within 366 days. */
export function nextOpening(windows: readonly Window[], now: Instant): Instant | undefined {
  const times = windows.flatMap((window) => nextTime(window, now) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
