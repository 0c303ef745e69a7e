import type { FunctionRow } from '../../../shared/explain/hooks/functions.ts';
import type { Holding, HookReport, HookRow, HookWarning } from '../../../shared/explain/hooks/hook-report.ts';
import { lastingSince } from '../../../shared/explain/lasting.ts';
import { shortHook } from '../../../shared/machine/hook-call.ts';
import type { MachineRef } from '../../../shared/machine/machine.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted, printable } from '../../terminal/words.ts';
import { columns } from '../plan/columns.ts';
import { functionLines } from './functions.ts';

interface Around {
  now: Instant;
  labelOf: (row: { machine: MachineRef }) => string;
  /** A template that carries a hook may be one that could not be read. */
  lacksTemplates: boolean;
}

/** The hooks for people to read: a line each, then what is wrong with them. */
export function hookLines(
  { rows, functions = [], warnings }: HookReport,
  around: Around,
  paint: Paint,
): string[] {
  const { now, labelOf, lacksTemplates } = around;
  const hasContacts = rows.some(({ described }) => described?.contact !== undefined);
  const table = columns([
    [
      'MACHINE',
      'POINT',
      'HOOK',
      'OWNER',
      'HOLDS',
      'ON SINCE',
      'TEMPLATE',
      ...(hasContacts ? ['CONTACT'] : []),
    ],
    ...rows.map((row) => [
      labelOf(row),
      row.point,
      shortHook(row.hook),
      row.owner ?? 'unknown',
      holdsFor(row.holding, now),
      sinceOf(row),
      row.template ?? (lacksTemplates ? 'unknown' : '-'),
      ...(hasContacts ? [row.described?.contact ?? '-'] : []),
    ]),
  ]);
  return [
    paint('bold', titleOf(rows, functions)),
    ...(rows.length === 0 ? [] : table.map((line, index) => styled(rows[index - 1], line, paint))),
    ...functionLines(functions, around, paint),
    ...(warnings.length === 0 ? [] : ['', paint('bold', 'Warnings')]),
    ...warnings.flatMap((warning) => warningLines(warning, paint)),
  ];
}

function titleOf(rows: readonly HookRow[], functions: readonly FunctionRow[]): string {
  if (rows.length === 0)
    return functions.length === 0 ? 'No Machine has a hook' : 'No Machine has a hook of its Machine API';
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
