import { type ComponentChildren, Fragment, h } from 'preact';
import { useMemo } from 'preact/hooks';
import type { GoneView, OverviewView } from '../views.ts';
import { choiceIn } from './fleet/choice.ts';
import { type Chosen, chosen } from './fleet/chosen.ts';
import { Counts } from './fleet/counts.ts';
import { Cards, Rows } from './fleet/deleting.ts';
import { AllHidden, FilterBar } from './fleet/filter-bar.ts';
import { Groups } from './fleet/groups.ts';
import { Living } from './fleet/living.ts';
import { Named } from './fleet/named.ts';
import { Pill } from './parts/pill.ts';
import { Notes, Unread } from './parts/remarks.ts';
import { List, sectionOf } from './parts/section.ts';
import { still } from './parts/still.ts';
import { Table } from './parts/table.ts';
import { duration, timeOf } from './parts/times.ts';

interface OverviewProps {
  view: OverviewView;
  /** What its reader has chosen, as a query. */
  search: string;
}

/** What is being deleted, held first; then what lives, and what has gone. */
export const Overview = ({ view, search }: OverviewProps): ComponentChildren => {
  const [choice, shown] = useMemo(() => {
    const made = choiceIn(search);
    return [made, chosen(view, made)] as const;
  }, [view, search]);
  const { deleting, living, gone, groups, options, isMany } = shown;
  const all = view.deleting.length;
  return h(
    Fragment,
    null,
    h('h1', null, 'Machines being deleted'),
    h(Unread, { unread: view.unread }),
    h(Counts, { deleting, living, gone }),
    isMany ? h(FilterBar, { choice, options, shown: deleting.length, all }) : null,
    groups.length > 0 && isMany ? h(Groups, { groups, choice }) : null,
    all > 0 && deleting.length === 0 ? h(AllHidden, { choice, all }) : h(Deleting, shown),
    sectionOf('DeletionHooks that ask nothing', view.unasked, () =>
      h(List, { texts: view.unasked.map(({ text }) => text) }),
    ),
    h(Living, { living, all: view.living.length }),
    h(Gone, { gone }),
    h(Notes, { notes: view.notes }),
  );
};

function Deleting({ deleting, as }: Chosen): ComponentChildren {
  if (deleting.length === 0) return h('p', { class: 'empty' }, 'No Machine is being deleted.');
  return h(as === 'rows' ? Rows : Cards, { deleting });
}

function took({ seconds, went: { after } }: GoneView): string {
  if (seconds === undefined) return 'unknown';
  return `${after === undefined ? '' : 'at most '}${duration(seconds * 1_000)}`;
}

const Gone = still(({ gone }: { gone: readonly GoneView[] }) =>
  sectionOf('Gone while this page was read', gone, () =>
    h(Table, {
      caption: 'Gone Machines',
      heads: ['Machine', 'State', 'Took', 'When'],
      rows: gone.map((machine) => [
        h(Named, { machine }),
        h(Pill, { tone: 'good' }, 'Gone'),
        took(machine),
        timeOf(machine.went),
      ]),
    }),
  ),
);
