import { shortHook } from '../../../shared/explain/actor.ts';
import type { Holding, HookReport, HookRow, HookWarning } from '../../../shared/explain/hooks/hook-report.ts';
import { lastingSince } from '../../../shared/explain/lasting.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted, printable } from '../../terminal/words.ts';
import { columns } from '../plan/columns.ts';

interface Around {
  now: Instant;
  /** What was done to the manifests, and what could not be read. */
  notes: readonly string[];
  labelOf: (row: HookRow) => string;
  /** A template that carries a hook may be one that could not be read. */
  lacksTemplates: boolean;
}

/** The hooks for people to read: a line each, then what is wrong with them. */
export function hookLines({ rows, warnings }: HookReport, around: Around, paint: Paint): string[] {
  const { now, notes, labelOf, lacksTemplates } = around;
  const table = columns([
    ['MACHINE', 'POINT', 'HOOK', 'OWNER', 'HOLDS', 'ON SINCE', 'TEMPLATE'],
    ...rows.map((row) => [
      labelOf(row),
      row.point,
      shortHook(row.hook),
      row.owner ?? 'unknown',
      holdsFor(row.holding, now),
      sinceOf(row),
      row.template ?? (lacksTemplates ? 'unknown' : '-'),
    ]),
  ]);
  return [
    paint('bold', titleOf(rows)),
    ...(rows.length === 0 ? [] : table.map((line, index) => styled(rows[index - 1], line, paint))),
    ...(warnings.length === 0 ? [] : ['', paint('bold', 'Warnings')]),
    ...warnings.flatMap((warning) => warningLines(warning, paint)),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => paint('dim', `  ${printable(note)}`))]),
  ];
}

function titleOf(rows: readonly HookRow[]): string {
  if (rows.length === 0) return 'No Machine has a hook';
  const machines = new Set(rows.map(({ machine }) => machine.uid)).size;
  const holding = rows.filter((row) => row.holding.kind === 'holds').length;
  const hold =
    holding === 0
      ? 'none holds a deletion'
      : `${holding} ${holding === 1 ? 'holds a deletion' : 'hold deletions'}`;
  return `${counted(rows.length, 'hook')} on ${counted(machines, 'Machine')}; ${hold}`;
}

const styled = (row: HookRow | undefined, line: string, paint: Paint): string =>
  row?.holding.kind === 'holds' ? paint('yellow', `  ${line}`) : `  ${line}`;

function holdsFor(holding: Holding, now: Instant): string {
  if (holding.kind === 'living') return '-';
  if (holding.kind === 'no') return `no: ${holding.why}`;
  return `for ${holding.isAtMost ? 'at most ' : ''}${lastingSince(holding.since, now)}`;
}

/** The manager's last write: the hook was on by then. */
const sinceOf = ({ set }: HookRow): string =>
  set === undefined ? 'unknown' : `by ${set.by} (${set.manager})`;

const warningLines = ({ object, hook, message }: HookWarning, paint: Paint): string[] => [
  paint('yellow', `  ${printable(hook === '' ? object : `${object}: ${hook}`)}`),
  `    ${printable(message)}`,
];
