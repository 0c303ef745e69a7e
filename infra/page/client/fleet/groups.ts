import { type ComponentChildren, h } from 'preact';
import type { Actor } from '../../../../shared/explain/deletion-status.ts';
import type { StandingGroup } from '../../../../shared/explain/fleet/standing-groups.ts';
import { ActorName } from '../parts/actor.ts';
import { Ago } from '../parts/ago.ts';
import { Link } from '../parts/link.ts';
import { Section } from '../parts/section.ts';
import { still } from '../parts/still.ts';
import { Table } from '../parts/table.ts';
import { type Choice, searchOf } from './choice.ts';

interface GroupsProps {
  groups: readonly StandingGroup[];
  choice: Choice;
}

/** What holds the deletions, each with its Machines and with who has to act. */
export const Groups = still(
  ({ groups, choice }: GroupsProps): ComponentChildren =>
    h(
      Section,
      { title: 'What holds them' },
      h(Table, {
        caption: 'What holds them',
        kind: 'groups',
        heads: ['What', 'Machines', 'Held', 'Late', 'Oldest', 'Who acts'],
        rows: groups.map(({ name, machines, states, oldestDeletedAt, acts }) => [
          h(Link, { to: { kind: 'overview', search: searchOf({ ...choice, holder: name }) } }, name),
          machines.length,
          states.held,
          states.late,
          h(Ago, { time: oldestDeletedAt }),
          actors(acts),
        ]),
      }),
    ),
);

const mostActors = 2;

/** Where each Machine waits for Pods of its own, these are many. */
const actors = (acts: readonly Actor[]): ComponentChildren => [
  acts.slice(0, mostActors).map((actor) => h('div', { key: actor.name }, h(ActorName, { actor }))),
  acts.length > mostActors ? h('div', { key: 'more' }, `and ${acts.length - mostActors} more`) : null,
];
