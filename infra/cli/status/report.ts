import type { DeletionStatus, State } from '../../../shared/explain/deletion-status.ts';
import { lasting } from '../../../shared/explain/lasting.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { clipped, counted, messageLines, printable } from '../../terminal/words.ts';
import { columns } from '../plan/columns.ts';

/** What the list is drawn with. */
export interface Drawing {
  now: Instant;
  paint: Paint;
  /** `fleet/worker-1`, as the user must type it. */
  label: (standing: DeletionStatus) => string;
  /** Of the terminal; undefined where lines may be as long as they are. */
  width?: number | undefined;
}

/** One line for each Machine, and how many there are of each state. */
export function statusLines(standings: readonly DeletionStatus[], drawing: Drawing): string[] {
  if (standings.length === 0) return ['no Machine is being deleted'];
  const rows = [heading, ...standings.map((standing) => rowOf(standing, drawing))];
  const [head = '', ...lines] = columns(rows).map((line) => clipped(line, drawing.width ?? Infinity));
  return [
    drawing.paint('dim', head),
    ...lines.map((line, index) => drawing.paint(styles[standings[index]?.state ?? 'progressing'], line)),
    summary(standings),
  ];
}

const heading = ['STATE', 'MACHINE', 'PHASE', 'FOR', 'TO ACT', 'NEXT LOOK', 'GIVEN UP', 'WAITS FOR'];

const styles: Readonly<Record<State, 'red' | 'yellow' | 'green'>> = {
  held: 'red',
  late: 'yellow',
  progressing: 'green',
};

function rowOf(standing: DeletionStatus, { now, label }: Drawing): string[] {
  const { state, phase, since, deletedAt, acts, waitsFor } = standing;
  const first = messageLines(waitsFor.message)[0] ?? '';
  return [
    state,
    label(standing),
    phase ?? 'not shown',
    // Where the phase does not say since when, it is no longer than the deletion.
    since === undefined ? `< ${lasting(now - Date.parse(deletedAt))}` : lasting(now - Date.parse(since)),
    acts.name,
    nextLook(standing, now),
    givenUpIn(standing, now),
    `${waitsFor.reason}: ${printable(first)}`,
  ];
}

function nextLook({ looksAt, looksWithinSeconds }: DeletionStatus, now: Instant): string {
  if (looksAt !== undefined) return dueAt(looksAt, now);
  return looksWithinSeconds === undefined ? '-' : `within ${looksWithinSeconds} s`;
}

function givenUpIn({ givenUp }: DeletionStatus, now: Instant): string {
  if (givenUp === undefined) return 'never';
  if (givenUp.at === undefined) return `after ${givenUp.afterSeconds} s`;
  return dueAt(givenUp.at, now);
}

function dueAt(time: string, now: Instant): string {
  const left = Date.parse(time) - now;
  return left <= 0 ? 'due' : `in ${lasting(left)}`;
}

function summary(standings: readonly DeletionStatus[]): string {
  const count = (state: State): number => standings.filter((each) => each.state === state).length;
  const parts = (['held', 'late'] as const).flatMap((state) =>
    count(state) === 0 ? [] : [`${count(state)} ${state}`],
  );
  const verb = standings.length === 1 ? 'is' : 'are';
  const all = `${counted(standings.length, 'Machine')} ${verb} being deleted`;
  return parts.length === 0 ? all : `${all}: ${parts.join(', ')}`;
}
