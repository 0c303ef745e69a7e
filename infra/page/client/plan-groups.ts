import { type ComponentChildren, h } from 'preact';
import type { Verdict } from '../../../shared/explain/fleet/verdict.ts';
import {
  groupTitles,
  heldText,
  holderText,
  objectText,
  ownerText,
} from '../../../shared/explain/fleet/words.ts';
import type { MachineName, PlannedView, PlanView } from '../views.ts';
import { Command } from './advice.ts';
import { keyOf, Named } from './fleet/named.ts';
import { Address } from './parts/address.ts';
import { Message } from './parts/message.ts';
import { Pill, type Tone } from './parts/pill.ts';
import { sectionOf } from './parts/section.ts';
import { Table } from './parts/table.ts';

export const tones: Readonly<Record<Verdict, Tone>> = {
  goes: 'good',
  held: 'held',
  waits: 'busy',
  unknown: 'plain',
};

type Group = PlanView['groups'][number];

/** What holds Machines, the worst first. */
export const Groups = ({ groups }: { groups: readonly Group[] }): ComponentChildren =>
  groupTitles.map(({ verdict, title }) => {
    const those = groups.filter((group) => group.verdict === verdict);
    return sectionOf(title, those, () => those.map((group, index) => h(OneGroup, { key: index, group })));
  });

const OneGroup = ({ group }: { group: Group }): ComponentChildren => {
  const { object, command, why } = group;
  const owner = ownerText(group);
  return h(
    'div',
    { class: 'item' },
    h('h3', null, holderText(group)),
    h(
      'dl',
      { class: 'about' },
      object === undefined ? null : h(Pair, { name: 'Object' }, objectText(object)),
      owner === undefined
        ? null
        : h(Pair, { name: 'Owner' }, group.kind === 'hook' ? h(Address, { text: owner }) : owner),
    ),
    h(Message, { text: why }),
    command === undefined ? null : h(Command, { command }),
    h(Machines, { text: heldText(group), machines: group.machines }),
  );
};

const Pair = ({ name, children }: { name: string; children?: ComponentChildren }): ComponentChildren =>
  h('div', null, h('dt', null, name), h('dd', null, children));

const few = 3;

/** Many are folded: a fleet stays quick to read. */
const Machines = ({
  text,
  machines,
}: {
  text: string;
  machines: readonly MachineName[];
}): ComponentChildren => {
  const names = h(
    'ul',
    { class: 'names' },
    machines.map((machine) => h('li', { key: keyOf(machine) }, h(Named, { machine }))),
  );
  return machines.length > few
    ? h('details', null, h('summary', null, text), names)
    : [h('p', { key: 'text' }, text), names];
};

/** All of them, the worst first. */
export const Planned = ({ machines }: { machines: readonly PlannedView[] }): ComponentChildren =>
  machines.length === 0
    ? null
    : h(
        'details',
        { class: 'card' },
        h('summary', null, `All Machines, the worst first (${machines.length})`),
        h(Table, {
          caption: 'Machines',
          heads: ['Verdict', 'Machine', 'Cluster', 'Node', 'Held by'],
          rows: machines.map((machine) => [
            h(Pill, { tone: tones[machine.verdict] }, machine.verdict),
            h(Named, { machine }),
            machine.cluster ?? '-',
            machine.node ?? '-',
            machine.heldBy.join('; ') || '-',
          ]),
        }),
      );
