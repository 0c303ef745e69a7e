import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import {
  byName,
  type Grouping,
  groupStandings,
  oldestFirst,
} from '../../../shared/explain/fleet/standing-groups.ts';
import { unaskedWarnings } from '../../../shared/explain/hooks/unasked.ts';
import { standingOrUnread, worstFirst } from '../../../shared/explain/status-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { KeptHooks } from '../../hook/kept-hooks.ts';
import { asData, type Form } from '../../terminal/output.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { printable } from '../../terminal/words.ts';
import { type Fleet, labelOfRef } from '../fleet.ts';
import type { Looker } from '../look/looker.ts';
import type { LookSource } from '../look/options.ts';
import { toType } from '../look/to-type.ts';
import { groupRows } from './group-rows.ts';
import type { NextLooks } from './next-looks.ts';
import type { Sorting } from './options.ts';
import { statusText } from './report.ts';

/** What a status is told from, besides the Machines. */
export interface Telling {
  fleet: Fleet;
  looker: Looker;
  /** Where it looks. */
  source: LookSource;
  form: Form;
  outside: Outside;
  looks: NextLooks;
  hooks: KeptHooks;
  /** In groups, where these are asked for. */
  by?: Grouping | undefined;
  sort?: Sorting;
}

/** The answer, as data or in its parts. */
export type Told = { data: string } | TextToTell;

interface TextToTell {
  rows: string[];
  /** What stays in sight below the rows. */
  end: string[];
  notes: readonly string[];
  unread: readonly string[];
}

/** The whole answer. */
export function told(machines: readonly KubeObject[], telling: Telling): Told {
  const { fleet, looker, form, outside, looks, hooks, by } = telling;
  const now = outside.clock.now();
  const standings = standingsOf(machines, telling, now);
  const { notes } = looker;
  const { dialects } = looker.environment;
  const unasked = unaskedWarnings({ machines, deletionHooks: hooks.known, dialects, now });
  const unread = [...new Set([...looker.unread(), ...looks.unread, ...hooks.unread])];
  const groups = by && groupStandings(standings, by);
  const data = asData(form, () => ({
    machines: standings,
    ...(groups !== undefined && { groups }),
    ...(unasked.length > 0 && { unasked }),
    notes,
    unread,
  }));
  if (data !== undefined) return { data };
  const label = ({ machine }: DeletionStatus): string => labelOfRef(fleet, machine);
  const drawing = { now, paint: paintFor(outside.stdout, outside), isWide: form === 'wide' };
  const { rows, summary } = statusText(standings, { ...widthOf(outside), ...drawing, label });
  const [worst] = worstFirst(standings);
  const next = worst === undefined ? [] : [goOn(label(worst), telling)];
  const askingNothing = unasked.map(({ object, message }) => printable(`${object}: ${message}`));
  const shown = by && groups ? groupRows(groups, by, drawing) : rows;
  return { rows: shown, end: [summary, ...askingNothing, ...next], notes, unread };
}

/** What to ask of the worst one. */
const goOn = (label: string, { outside, source }: Telling): string =>
  `Go on with: ${printable(toType(outside, ['explain', label], source))}`;

const standingsOf = (
  machines: readonly KubeObject[],
  { looker, looks, hooks, sort = 'worst' }: Telling,
  now: number,
): DeletionStatus[] =>
  sorted[sort](
    machines.flatMap((machine) => {
      const due = looks.of(machine.metadata.uid ?? '');
      const { dialects } = looker.environment;
      return standingOrUnread(machine, { now, dialects, due, deletionHooks: hooks.known }) ?? [];
    }),
  );

const sorted: Readonly<Record<Sorting, (standings: readonly DeletionStatus[]) => DeletionStatus[]>> = {
  worst: worstFirst,
  age: oldestFirst,
  name: byName,
};

const widthOf = ({ stdout }: Outside): { width?: number } =>
  stdout.isTTY === true ? { width: stdout.columns || 80 } : {};
