import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { clipped, counted, duration, messageLines } from '../../terminal/words.ts';
import { type Other, othersLine } from './others.ts';
import { type Journey, type Mark, marks } from './progress.ts';
import type { Arrangement } from './reporter.ts';
import { total } from './timeline.ts';

export interface Space {
  now: Instant;
  width: number;
  height: number;
  paint: Paint;
}

/** The board as lines that fit: in full where there is room, one line for each Machine otherwise. */
export function boardLines({ progress, requests, startedAt, others }: Arrangement, space: Space): string[] {
  const journeys = progress.journeys.filter(({ goneAt }) => goneAt === undefined);
  const gone = progress.journeys.length - journeys.length;
  const counts = [duration(space.now - startedAt), counted(total(requests()), 'request')];
  const footer = space.paint('dim', [...counts, ...(gone > 0 ? [`${gone} gone`] : [])].join('  '));
  const rest = othersLine(newestFirst(others())).map((line) =>
    space.paint('dim', clipped(line, space.width)),
  );
  const full = journeys.flatMap((journey) => [...inFull(journey, space), '']);
  if (full.length + rest.length < space.height) return [...full, ...rest, footer];
  const brief = journeys.map((journey) => inBrief(journey, space));
  const room = Math.max(0, space.height - 2);
  const more = brief.length > room ? [`... and ${brief.length - room} more`] : [];
  return [...brief.slice(0, room), ...more, footer];
}

/** Newest first: a line that is cut still shows the replacements. It names a shared place once. */
function newestFirst(others: readonly Other[]): Other[] {
  const place = /^.*\//.exec(others[0]?.machine ?? '')?.[0] ?? '';
  const isShared = others.every(({ machine }) => machine.startsWith(place));
  return others.toReversed().map((other, index) => {
    const isTold = isShared && index > 0;
    return isTold ? { ...other, machine: other.machine.slice(place.length) } : other;
  });
}

const roomForPlace = 24;

function inFull(journey: Journey, { now, width, paint }: Space): string[] {
  const { machine, wait, stays, evicted, refused } = journey;
  const stay = stays.at(-1);
  const counts = [
    ...(evicted > 0 ? [`${evicted} evicted`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  const name = clipped(machine, width - roomForPlace);
  const place = [`${stay?.phase} for ${duration(now - (stay?.from ?? now))}`, ...counts].join('  ');
  return [
    `${paint('bold', name)}  ${clipped(place, width - name.length - 2)}`,
    ...track(journey, width, paint),
    ...(wait === undefined ? [] : [`  ${paint('yellow', wait.reason)}`]),
    ...(wait === undefined
      ? []
      : messageLines(wait.message).map((line) => `    ${clippedAs(wait.reason)(line, width - 4)}`)),
  ];
}

function inBrief({ machine, wait, stays }: Journey, { now, width }: Space): string {
  const stay = stays.at(-1);
  const place = `${stay?.phase.padEnd(14)} ${duration(now - (stay?.from ?? now)).padStart(7)}`;
  const start = `${machine.padEnd(24)} ${place}  `;
  const message = messageLines(wait?.message ?? '')[0] ?? '';
  const room = Math.max(0, width - start.length);
  return clipped(`${start}${clippedAs(wait?.reason)(message, room)}`.trimEnd(), width);
}

const signs: Record<Mark, string> = { passed: '✓', here: '●', skipped: '–', ahead: '○' };
const styles = { passed: 'green', here: 'cyan', skipped: 'dim', ahead: 'dim' } as const;

/** All phases in a row, broken where the terminal ends. */
function track(journey: Journey, width: number, paint: Paint): string[] {
  const rows: { text: string; length: number }[] = [];
  for (const [phase, mark] of marks(journey)) {
    const word = `${signs[mark]} ${phase}`;
    const row = rows.at(-1);
    const painted = paint(styles[mark], word);
    if (row === undefined || row.length + word.length + 3 > width) {
      rows.push({ text: `  ${painted}`, length: word.length + 2 });
    } else {
      Object.assign(row, { text: `${row.text}   ${painted}`, length: row.length + word.length + 3 });
    }
  }
  return rows.map(({ text }) => text);
}

/** This message ends with the problem, after the whole field. Users must see the problem. */
const clippedAs = (reason: string | undefined): typeof clipped =>
  reason === 'FailedValidate' ? clippedToCause : clipped;

function clippedToCause(line: string, width: number): string {
  const colon = line.lastIndexOf(': ');
  if (line.length < width || colon < 0) return clipped(line, width);
  const cause = line.slice(colon + 2);
  const head = Math.max(0, width - 2 - cause.length);
  return clipped(`${line.slice(0, head)}…${cause}`, width);
}
