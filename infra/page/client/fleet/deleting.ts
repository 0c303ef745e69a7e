import { type ComponentChildren, Fragment, h } from 'preact';
import type { State } from '../../../../shared/explain/deletion-status.ts';
import type { DeletingView, MachineName } from '../../views.ts';
import { Ago } from '../parts/ago.ts';
import { Section } from '../parts/section.ts';
import { StatePill } from '../parts/state-pill.ts';
import { still } from '../parts/still.ts';
import { Row, TableFrame } from '../parts/table.ts';
import { Standing } from '../standing.ts';
import { valuesOf } from './choice.ts';
import { keyOf, Named } from './named.ts';

interface Deletions {
  deleting: readonly DeletingView[];
}

/** Few deletions: all that is known of each. */
export const Cards = still(
  ({ deleting }: Deletions): ComponentChildren =>
    h(
      Fragment,
      null,
      deleting.map((each) => h(Card, { key: keyOf(each), deleting: each })),
    ),
);

const Card = still(
  ({ deleting }: { deleting: DeletingView }): ComponentChildren =>
    h(
      'article',
      { class: `card deleting ${deleting.standing.state === 'progressing' ? '' : 'is-held'}` },
      h('h2', null, h(Named, { machine: deleting })),
      h(Standing, { deleting }),
    ),
);

const heads = ['Machine', 'State', 'Phase', 'What holds it', 'Since', 'Who acts'];

/** Many: a line each, the worst first. */
export const Rows = still(
  ({ deleting }: Deletions): ComponentChildren =>
    h(
      Section,
      { title: 'One by one, the worst first' },
      h(
        TableFrame,
        { caption: 'Machines being deleted', heads, kind: 'long deletions' },
        deleting.map((each) => h(DeletingRow, { key: keyOf(each), ...rowOf(each) })),
      ),
    ),
);

interface RowData extends MachineName {
  state: State;
  phase: string;
  holder: string;
  since: string;
  acts: string;
}

/** What a row shows, and no more: a message may change with each look. */
function rowOf(view: DeletingView): RowData {
  const { api, namespace, name, standing } = view;
  const { state, since, deletedAt, acts } = standing;
  const { phase, holder } = valuesOf(view);
  return { api, namespace, name, state, phase, holder, since: since ?? deletedAt, acts: acts.name };
}

const DeletingRow = still(({ state, phase, holder, since, acts, ...machine }: RowData) =>
  h(Row, {
    heads,
    cells: [h(Named, { machine }), h(StatePill, { state }), phase, holder, h(Ago, { time: since }), acts],
  }),
);
