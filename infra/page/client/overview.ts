import { type ComponentChildren, Fragment, h } from 'preact';
import type { DeletingView, GoneView, LivingView, MachineName, OverviewView } from '../views.ts';
import { Link } from './parts/link.ts';
import { Pill } from './parts/pill.ts';
import { Notes, Unread } from './parts/remarks.ts';
import { List, Section, sectionOf } from './parts/section.ts';
import { still } from './parts/still.ts';
import { Table } from './parts/table.ts';
import { duration, timeOf } from './parts/times.ts';
import { Standing } from './standing.ts';

/** What is being deleted, held first; then what lives, and what has gone. */
export const Overview = ({ view, now }: { view: OverviewView; now: number }): ComponentChildren =>
  h(
    Fragment,
    null,
    h('h1', null, 'Machines being deleted'),
    h(Unread, { unread: view.unread }),
    view.deleting.length === 0
      ? h('p', { class: 'empty' }, 'No Machine is being deleted.')
      : view.deleting.map((deleting) => h(Deleting, { key: labelOf(deleting), deleting, now })),
    sectionOf('DeletionHooks that ask nothing', view.unasked, () =>
      h(List, { texts: view.unasked.map(({ text }) => text) }),
    ),
    h(Living, { living: view.living }),
    h(Gone, { gone: view.gone }),
    h(Notes, { notes: view.notes }),
  );

const labelOf = ({ api, namespace, name }: MachineName): string => `${api}:${namespace}/${name}`;

const Named = ({ machine }: { machine: MachineName }): ComponentChildren => {
  const { api, namespace, name } = machine;
  return h(Link, { to: { kind: 'machine', api, namespace, name } }, `${namespace}/${name}`);
};

const Deleting = ({ deleting, now }: { deleting: DeletingView; now: number }): ComponentChildren =>
  h(
    'article',
    { class: `card deleting ${deleting.standing.state === 'progressing' ? '' : 'is-held'}` },
    h('h2', null, h(Named, { machine: deleting })),
    h(Standing, { deleting, now }),
  );

const Living = still(({ living }: { living: readonly LivingView[] }) =>
  h(
    Section,
    { title: 'Living Machines' },
    living.length === 0
      ? h('p', null, 'There is none.')
      : h(Table, {
          caption: 'Living Machines',
          heads: ['Machine', 'State', 'Node', 'Plan'],
          rows: living.map((machine) => [
            h(Named, { machine }),
            machine.phase ?? 'new',
            machine.node ?? 'none yet',
            h(
              Link,
              { to: { ...machine, kind: 'machine' } },
              'What would happen',
              h('span', { class: 'hidden' }, ` to ${machine.namespace}/${machine.name}`),
            ),
          ]),
        }),
  ),
);

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
