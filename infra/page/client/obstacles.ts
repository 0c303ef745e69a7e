import { type ComponentChildren, h } from 'preact';
import {
  functionRows,
  heldByReturns,
  limitRows,
  returningRows,
  titles,
  unaskedTexts,
  unreachableChanges,
  unreachableTitle,
  volumeDetails,
} from '../../../shared/explain/plan-words.ts';
import type { DeletionPlan, PlannedVolume } from '../../../shared/plan/deletion-plan.ts';
import { Message } from './parts/message.ts';
import { List, Section, sectionOf } from './parts/section.ts';
import { Table } from './parts/table.ts';
import { duration } from './parts/times.ts';

interface PlanProps {
  plan: DeletionPlan;
}

/** What keeps everything from the Machine as it is now. */
export const Holds = ({ plan: { held } }: PlanProps): ComponentChildren =>
  sectionOf(titles.held, held, () =>
    held.map(({ reason, message, remarks = [] }) =>
      h(
        'div',
        { key: reason },
        h('p', { class: 'reason' }, reason),
        [message, ...remarks].map((text) => h(Message, { key: text, text })),
      ),
    ),
  );

export const Unreachable = ({ plan: { unreachable } }: PlanProps): ComponentChildren =>
  unreachable === undefined
    ? null
    : h(
        Section,
        { title: unreachableTitle(unreachable) },
        h(List, { texts: unreachableChanges(unreachable) }),
      );

export const Volumes = ({ plan }: PlanProps): ComponentChildren => {
  const left = plan.unawaited ?? [];
  if (plan.volumes.length + left.length === 0) return null;
  return h(
    Section,
    { title: 'Volumes' },
    h(Table, {
      caption: 'Volumes',
      heads: ['Volume', 'Kind', 'Is waited for'],
      rows: [
        ...plan.volumes.map((volume) => [named(volume), volume.kind, 'yes']),
        ...left.map((volume) => [named(volume), volume.kind, `no: ${volume.why}`]),
      ],
    }),
  );
};

const named = (volume: PlannedVolume): ComponentChildren =>
  h('div', null, volume.name, h(Message, { text: volumeDetails(volume) }));

export const Limits = ({ plan }: PlanProps): ComponentChildren => {
  const rows = limitRows(plan);
  return sectionOf(titles.limits, rows, () =>
    h(Table, { caption: titles.limits, heads: ['Phase', 'Its limit'], rows }),
  );
};

export const Returning = ({ plan }: PlanProps): ComponentChildren =>
  returningRows(plan).map(({ title, rows }) =>
    sectionOf(title, rows, () => [
      h('p', { key: 'why' }, heldByReturns),
      h(List, { key: 'pods', texts: rows.map(([pod, why]) => `${pod}: ${why}`) }),
    ]),
  );

export const Namespaces = ({ plan: { namespaces = [] } }: PlanProps): ComponentChildren =>
  sectionOf(titles.namespaces, namespaces, () =>
    namespaces.map(({ name, reason, since, remaining }) =>
      h(
        'div',
        { key: name, class: 'item' },
        h('h3', null, name),
        h('p', null, `${reason} since ${since}`),
        remaining.map((text) => h(Message, { key: text, text })),
      ),
    ),
  );

/** Functions that are asked before the deletion goes on, and DeletionHooks that ask nothing here. */
export const Functions = ({ plan }: PlanProps): ComponentChildren => {
  const rows = functionRows(plan);
  const unasked = unaskedTexts(plan);
  return [
    sectionOf(titles.functions, rows, () =>
      h(Table, {
        caption: titles.functions,
        heads: ['Place', 'DeletionHook', 'Help', 'Then'],
        rows,
      }),
    ),
    sectionOf(titles.unasked, unasked, () => h(List, { texts: unasked })),
  ];
};

interface HooksProps extends PlanProps {
  set: Readonly<Record<string, string>>;
  now: number;
}

/** What their owners have to take off: the Machine waits at their point. */
export const Hooks = ({ plan: { hooks }, set, now }: HooksProps): ComponentChildren => {
  const age = (name: string): string => {
    const time = set[name];
    return time === undefined ? 'unknown' : `${duration(now - Date.parse(time))} at least`;
  };
  return sectionOf(titles.hooks, hooks, () =>
    h(Table, {
      caption: 'Hooks',
      heads: ['Hook', 'At', 'Owner', 'There for'],
      rows: hooks.map(({ name, point, owner }) => [name, point, owner ?? 'unknown', age(name)]),
    }),
  );
};
