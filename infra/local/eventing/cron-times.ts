import type { Instant } from '../../../shared/time/clock.ts';
import type { Cron } from '../../serverless/cron.ts';

const dayMilliseconds = 86_400_000;
/** A February 29th on a given weekday is at most 40 years away; what is later never comes. */
const searchedDays = 41 * 366;

/** The first time after `now` that the schedule names, in UTC; undefined if it names a day that does not exist. */
export function nextTime(cron: Cron, now: Instant): Instant | undefined {
  const today = Math.floor(now / dayMilliseconds) * dayMilliseconds;
  for (let day = 0; day <= searchedDays; day++) {
    const midnight = today + day * dayMilliseconds;
    if (!isOnDay(cron, new Date(midnight))) continue;
    const time = firstWithin(cron, midnight, now);
    if (time !== undefined) return time;
  }
  return undefined;
}

function isOnDay(cron: Cron, day: Date): boolean {
  if (!cron.months.includes(day.getUTCMonth() + 1)) return false;
  const byDate = cron.daysOfMonth.includes(day.getUTCDate());
  const byWeekday = cron.daysOfWeek.includes(day.getUTCDay());
  return cron.eitherDay ? byDate || byWeekday : byDate && byWeekday;
}

function firstWithin(cron: Cron, midnight: Instant, now: Instant): Instant | undefined {
  for (const hour of cron.hours) {
    const startOfHour = midnight + hour * 3_600_000;
    if (startOfHour + 3_600_000 <= now) continue;
    for (const minute of cron.minutes) {
      const second = cron.seconds.find((value) => startOfHour + minute * 60_000 + value * 1000 > now);
      if (second !== undefined) return startOfHour + minute * 60_000 + second * 1000;
    }
  }
  return undefined;
}
