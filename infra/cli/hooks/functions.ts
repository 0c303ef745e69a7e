import type { FunctionRow } from '../../../shared/explain/hooks/functions.ts';
import { lastingSince } from '../../../shared/explain/lasting.ts';
import { silentText } from '../../../shared/hooks/words.ts';
import type { MachineRef } from '../../../shared/machine/machine.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted, printable } from '../../terminal/words.ts';
import { columns } from '../plan/columns.ts';

interface Around {
  now: Instant;
  labelOf: (row: { machine: MachineRef }) => string;
}

/** The functions that Machines wait for, a line each. Nothing where none waits. */
export function functionLines(
  rows: readonly FunctionRow[],
  { now, labelOf }: Around,
  paint: Paint,
): string[] {
  if (rows.length === 0) return [];
  const table = columns([
    ['MACHINE', 'DELETIONHOOK', 'PLACE', 'FOR', 'CALLS', 'SAYS', 'CONTACT', 'AFTER ITS TIME'],
    ...rows.map((row) => [
      labelOf(row),
      row.hook,
      row.place,
      lastingSince(row.since, now),
      String(row.attempt),
      saysOf(row),
      row.contact ?? '-',
      row.after,
    ]),
  ]);
  return [
    '',
    paint('bold', `${counted(rows.length, 'function')} asked before a deletion goes on`),
    ...table.map((line) => `  ${line}`),
    ...rows.flatMap(({ runbook }) => (runbook === undefined ? [] : [`  ${printable(runbook)}`])),
  ];
}

function saysOf({ state, message, silentSince, because, overSince }: FunctionRow): string {
  const words = state === undefined ? 'no answer yet' : [state, message].filter(Boolean).join(': ');
  return [
    printable(words),
    ...(silentSince === undefined ? [] : [printable(silentText(silentSince, because))]),
    ...(overSince === undefined ? [] : [`its time ended at ${overSince}`]),
  ].join(', ');
}
