import type { Instant } from '../../../shared/time/clock.ts';
import { type Cron, parseCron } from '../../serverless/cron.ts';
import type { PingSource } from '../../serverless/model.ts';
import { pingAddress } from '../../serverless/resolve.ts';
import type { CloudEvent } from './event.ts';
import { randomId, type SourceOptions, sendFrom } from './sender.ts';

export interface PingSourceOptions extends SourceOptions<PingSource> {
  /** Told of every tick that could not be sent. */
  onDropped?: (reason: string, event: CloudEvent) => void;
}

const jitterMilliseconds = 500;
/** Timers overflow after 24 days, and then fire at once. */
const longestTimerMilliseconds = 86_400_000;

/**
 * Ticks on schedule, in UTC, up to half a second late. A slow sink does not hold the next tick up. A tick that could
 * not be sent is lost. Returns the way to stop. Throws CronSyntaxError.
 */
export function startPingSource(options: PingSourceOptions): () => void {
  const { source, clock, random } = options;
  const cron = parseCron(source.schedule);
  const stopping = new AbortController();

  async function tick(): Promise<void> {
    await sendFrom(options, pingEvent(source, randomId(random), clock.now()), stopping.signal);
  }

  function scheduleNext(after: Instant): void {
    const time = nextTime(cron, after);
    if (time === undefined) return;
    const wait = time - clock.now();
    if (wait > longestTimerMilliseconds) return later(longestTimerMilliseconds, () => scheduleNext(after));
    later(wait, () => {
      // From the time that was due and not from now: a clock that fires early must not tick twice.
      scheduleNext(Math.max(time, clock.now()));
      later(Math.floor(random() * jitterMilliseconds), () => void tick());
    });
  }

  function later(milliseconds: number, run: () => void): void {
    const takeBack = clock.after(milliseconds, () => {
      stopping.signal.removeEventListener('abort', takeBack);
      run();
    });
    stopping.signal.addEventListener('abort', takeBack);
  }

  scheduleNext(clock.now());
  return () => stopping.abort(new Error('the source was stopped'));
}

function pingEvent({ namespace, name, ...source }: PingSource, id: string, now: Instant): CloudEvent {
  return {
    attributes: {
      specversion: '1.0',
      id,
      source: pingAddress(namespace, name),
      type: 'dev.knative.sources.ping',
      time: new Date(now).toISOString(),
      ...source.ceOverrides?.extensions,
      ...(source.contentType === undefined ? {} : { datacontenttype: source.contentType }),
    },
    data: Buffer.from(source.data ?? ''),
  };
}

const dayMilliseconds = 86_400_000;
/** A February 29th on a given weekday is at most 40 years away; what is later never comes. */
const searchedDays = 41 * 366;

/** The first time after `now` that the schedule names, in UTC. Undefined if it names a day that does not exist. */
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
