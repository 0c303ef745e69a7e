import { type ComponentChildren, Fragment, h } from 'preact';
import {
  machinesText,
  preparingOf,
  preparingTitle,
  totalTexts,
} from '../../../shared/explain/fleet/words.ts';
import type { PlanView } from '../views.ts';
import { Command } from './advice.ts';
import { Link } from './parts/link.ts';
import { Pill } from './parts/pill.ts';
import { Notes, Unread } from './parts/remarks.ts';
import { sectionOf } from './parts/section.ts';
import { still } from './parts/still.ts';
import { clockTime, duration } from './parts/times.ts';
import { PlanFilters } from './plan-filters.ts';
import { Groups, Planned, tones } from './plan-groups.ts';

export const planTitle = 'What would hold an upgrade';

interface PlanProps {
  /** Undefined until it is made. */
  view: PlanView | undefined;
  search: string;
  again: () => void;
  now: number;
}

/** What deleting each of many Machines would meet, as `phaseout plan` of many says it. */
export const Plan = ({ view, search, again, now }: PlanProps): ComponentChildren =>
  h(
    Fragment,
    null,
    h(
      'nav',
      { 'aria-label': 'Way back' },
      h(Link, { to: { kind: 'overview', search: '' } }, '← All Machines'),
    ),
    h('h1', null, planTitle),
    h(
      'p',
      null,
      'An upgrade deletes every Machine. Each is judged alone here, as if it were deleted now. Nothing is written.',
    ),
    h(PlanFilters, { search }),
    view === undefined
      ? h('p', { class: 'empty' }, 'Looking: a plan lists whole clusters …')
      : [
          h(
            'p',
            { key: 'made', class: 'facts' },
            h('span', null, `Made at ${clockTime(view.madeAt)}, ${duration(now - view.madeAt)} ago`),
            h('button', { type: 'button', onClick: again }, 'Make it again'),
          ),
          h(Found, { key: 'found', view }),
        ],
  );

const Found = still(({ view }: { view: PlanView }) => h(Whole, { view }));

const Whole = ({ view }: { view: PlanView }): ComponentChildren =>
  h(
    Fragment,
    null,
    h(Unread, { unread: view.unread }),
    view.totals.machines === 0
      ? h('p', { class: 'empty' }, whyNone(view))
      : h(Totals, { totals: view.totals }),
    h(Groups, { groups: view.groups }),
    h(Preparing, { groups: view.groups }),
    h(Planned, { machines: view.machines }),
    h(Notes, { notes: view.notes }),
  );

/** What was not read is not absent. */
const whyNone = ({ problem, unread }: PlanView): string =>
  problem ?? (unread.length > 0 ? 'Nothing was judged.' : 'There is no such Machine: nothing was judged.');

const Totals = ({ totals }: Pick<PlanView, 'totals'>): ComponentChildren =>
  h(
    'p',
    { class: 'facts totals' },
    h('b', null, machinesText(totals.machines)),
    totalTexts(totals).map(([verdict, text]) => h(Pill, { key: verdict, tone: tones[verdict] }, text)),
  );

const Preparing = ({ groups }: Pick<PlanView, 'groups'>): ComponentChildren => {
  const commands = preparingOf(groups);
  return sectionOf(preparingTitle, commands, () =>
    commands.map((command) => h(Command, { key: command, command })),
  );
};
