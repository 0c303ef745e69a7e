import { cut } from '../../../shared/text/truncate.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { RequestCount } from '../../local/kubernetes/server/request-counts.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted, duration, messageLines, printable } from '../../terminal/words.ts';
import type { Change } from './change.ts';
import type { Journey, Stay } from './progress.ts';

const barWidth = 24;
const maxChanges = 15;

/** `fleet/worker-1 is gone after 17.0 s`. */
export function outcomeLine({ machine, startedAt, goneAt }: Journey, now: Instant, paint: Paint): string {
  const outcome = goneAt === undefined ? 'is still there' : 'is gone';
  return paint('bold', `${machine} ${outcome} after ${duration((goneAt ?? now) - startedAt)}`);
}

/** The events of one Machine with their times, and the duration of each phase until now. */
export function timeline(journey: Journey, now: Instant, paint: Paint): string[] {
  const { startedAt, goneAt, stays } = journey;
  const end = goneAt ?? now;
  return [
    outcomeLine(journey, now, paint),
    ...stays.flatMap((stay) => ['', ...chapter(stay, { start: startedAt, end, paint })]),
  ];
}

interface Frame {
  start: Instant;
  end: Instant;
  paint: Paint;
}

function chapter(stay: Stay, frame: Frame): string[] {
  const { start, end, paint } = frame;
  const to = stay.to ?? end;
  const took = duration(to - stay.from).padStart(7);
  const how = stay.as === undefined || stay.as === 'done' ? '' : `  ${stay.as}`;
  const heading = `  ${paint('bold', stay.phase.padEnd(15))}${took}  ${paint('cyan', bar(stay.from, to, frame))}${how}`;
  const told = stay.changes.flatMap((change) =>
    sentence(change).map((text) => ({ time: change.time, text })),
  );
  const shown = told.slice(0, maxChanges).map(({ time, text }) => {
    return `  ${paint('dim', duration(time - start).padStart(22))}  ${text}`;
  });
  const more = told.length - shown.length;
  return more > 0 ? [heading, ...shown, `${' '.repeat(26)}... and ${more} more`] : [heading, ...shown];
}

/** Where in the whole the phase lies; one that took no time still shows. */
function bar(from: Instant, to: Instant, { start, end }: Frame): string {
  const column = (time: Instant): number =>
    Math.round(((time - start) / Math.max(1, end - start)) * barWidth);
  const first = Math.min(column(from), barWidth - 1);
  const length = Math.max(1, column(to) - first);
  return (' '.repeat(first) + '█'.repeat(length)).padEnd(barWidth).trimEnd();
}

function sentence(change: Change): string[] {
  switch (change.event) {
    case 'evicted':
      return [`evicted ${change.pod}`];
    case 'refused':
      return [`refused ${change.pod}: ${inOneLine(change.message)}`];
    case 'waits':
      return [`waits: ${messageLines(change.message)[0] ?? change.reason}`];
    case 'failed':
      return [`failed: ${inOneLine(change.message)}`];
    default:
      return [];
  }
}

const longestSentence = 300;

const inOneLine = (message: string): string => cut(printable(message), longestSentence);

/** `82 requests: 30 get, 16 list`. */
export function requestLine(counts: readonly RequestCount[]): string {
  const byVerb = new Map<string, number>();
  for (const { verb, count } of counts) byVerb.set(verb, (byVerb.get(verb) ?? 0) + count);
  const parts = [...byVerb]
    .toSorted(([, one], [, other]) => other - one)
    .map(([verb, count]) => `${count} ${verb}`);
  return `${counted(total(counts), 'request')} to the API server: ${parts.join(', ')}`;
}

export const total = (counts: readonly RequestCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);
