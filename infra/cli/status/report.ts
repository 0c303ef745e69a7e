import { actorText } from '../../../shared/explain/actor.ts';
import type { DeletionStatus, State } from '../../../shared/explain/deletion-status.ts';
import { lasting } from '../../../shared/explain/lasting.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted, messageLines, printable } from '../../terminal/words.ts';
import { type Column, stackedWithin, tableWithin } from '../../terminal/wrap.ts';

/** What the list is drawn with. */
export interface Drawing {
  now: Instant;
  paint: Paint;
  /** `fleet/worker-1`, as the user must type it. */
  label: (standing: DeletionStatus) => string;
  /** Of the terminal; undefined where lines may be as long as they are. */
  width?: number | undefined;
  /** With all columns, and with whole messages. */
  isWide?: boolean;
}

/** The list, and the line that counts it. */
export interface StatusText {
  rows: string[];
  summary: string;
}

/** The Machines, each in one row, and how many there are of each state. */
export function statusText(standings: readonly DeletionStatus[], drawing: Drawing): StatusText {
  if (standings.length === 0) return { rows: [], summary: 'no Machine is being deleted' };
  const { paint, isWide = false, width = Infinity } = drawing;
  const columns = isWide ? [...shown, ...shownWide] : shown;
  const cells = standings.map((standing) => columns.map(({ cell }) => printable(cell(standing, drawing))));
  // The last column of a terminal is left free: some break the line there.
  const [head, ...rows] = tableWithin(columns, cells, width - 1) ?? [
    [],
    ...cells.map((row) => stackedWithin(columns, row, { titles, width: width - 1 })),
  ];
  return {
    rows: [
      ...(head ?? []).map((line) => paint('dim', line)),
      ...rows.flatMap((lines, index) =>
        lines.map((line) => paint(styles[standings[index]?.state ?? 'progressing'], line)),
      ),
    ],
    summary: summaryOf(standings),
  };
}

/** As many rows as a screen has room for. What comes after the list is always seen. */
export function inOneScreen(rows: readonly string[], end: readonly string[], height: number): string[] {
  if (rows.length + end.length <= height) return [...rows, ...end];
  const room = Math.max(0, height - end.length - 1);
  return [...rows.slice(0, room), `… ${counted(rows.length - room, 'more line')}`, ...end];
}

const styles: Readonly<Record<State, 'red' | 'yellow' | 'green'>> = {
  held: 'red',
  late: 'yellow',
  progressing: 'green',
};

interface Shown extends Column {
  cell: (standing: DeletionStatus, drawing: Drawing) => string;
}

/** Where columns do not fit, these stand in one line above all others. */
const titles = 3;

/** What decides comes before the times. */
const shown: readonly Shown[] = [
  { heading: 'STATE', cell: ({ state }) => state },
  { heading: 'MACHINE', cell: (standing, { label }) => label(standing) },
  { heading: 'PHASE', cell: ({ phase }) => phase ?? 'not shown' },
  { heading: 'WAITS FOR', cell: waitsFor, isProse: true },
  { heading: 'TO ACT', cell: ({ acts }) => actorText(acts), isProse: true },
  { heading: 'FOR', cell: lastsFor },
];

const shownWide: readonly Shown[] = [
  { heading: 'NEXT LOOK', cell: nextLook },
  { heading: 'GIVEN UP', cell: givenUpIn },
];

function waitsFor({ waitsFor: { reason, message } }: DeletionStatus, { isWide = false }: Drawing): string {
  const lines = messageLines(message);
  return `${reason}: ${isWide ? lines.join('; ') : shortened(lines[0] ?? '')}`;
}

/** As much as a list may take for one Machine; `-o wide` has all. */
const longest = 240;
/** Some messages end with the problem: the end stays. */
const kept = 80;

const shortened = (line: string): string =>
  line.length <= longest ? line : `${line.slice(0, longest - kept)} … ${line.slice(-kept)}`;

/** Where the phase does not say since when, it is no longer than the deletion. */
function lastsFor({ since, deletedAt }: DeletionStatus, { now }: Drawing): string {
  return since === undefined ? `< ${lasting(now - Date.parse(deletedAt))}` : lasting(now - Date.parse(since));
}

function nextLook({ looksAt, looksWithinSeconds }: DeletionStatus, { now }: Drawing): string {
  if (looksAt !== undefined) return dueAt(looksAt, now);
  return looksWithinSeconds === undefined ? '-' : `within ${looksWithinSeconds} s`;
}

function givenUpIn({ givenUp }: DeletionStatus, { now }: Drawing): string {
  if (givenUp === undefined) return 'never';
  if (givenUp.at === undefined) return `after ${givenUp.afterSeconds} s`;
  return dueAt(givenUp.at, now);
}

function dueAt(time: string, now: Instant): string {
  const left = Date.parse(time) - now;
  return left <= 0 ? 'due' : `in ${lasting(left)}`;
}

function summaryOf(standings: readonly DeletionStatus[]): string {
  const count = (state: State): number => standings.filter((each) => each.state === state).length;
  const parts = (['held', 'late'] as const).flatMap((state) =>
    count(state) === 0 ? [] : [`${count(state)} ${state}`],
  );
  const verb = standings.length === 1 ? 'is' : 'are';
  const all = `${counted(standings.length, 'Machine')} ${verb} being deleted`;
  return parts.length === 0 ? all : `${all}: ${parts.join(', ')}`;
}
