import { type ComponentChildren, Fragment, h } from 'preact';
import { doesWords } from '../../../shared/explain/plan-words.ts';
import type { DeletionPlan, PlannedPhase } from '../../../shared/plan/deletion-plan.ts';
import type { MachineView } from '../views.ts';
import { Advice } from './advice.ts';
import { Causes } from './causes.ts';
import { History } from './history.ts';
import { Functions, Holds, Hooks, Limits, Namespaces, Returning, Unreachable, Volumes } from './obstacles.ts';
import { Link } from './parts/link.ts';
import { Message } from './parts/message.ts';
import { Pill, type Tone } from './parts/pill.ts';
import { Notes, Unread } from './parts/remarks.ts';
import { Section } from './parts/section.ts';
import { Table } from './parts/table.ts';
import { timeOf } from './parts/times.ts';
import { Pods } from './pods.ts';
import { Refusals, RefusalsAhead, RefusalsUnknown } from './refusals.ts';
import { Standing } from './standing.ts';
import { Timeline } from './timeline.ts';

/** One Machine: how its deletion goes, or what it would do. */
export const Machine = ({ view, now }: { view: MachineView; now: number }): ComponentChildren =>
  h(
    Fragment,
    null,
    h(
      'nav',
      { 'aria-label': 'Way back' },
      h(Link, { to: { kind: 'overview', search: '' } }, '← All Machines'),
    ),
    h('h1', null, `${view.namespace}/${view.name}`),
    h(Unread, { unread: view.unread }),
    heading(view),
    timeline(view, now),
    view.explanation === undefined
      ? null
      : [
          h(Causes, { key: 'causes', explanation: view.explanation }),
          h(Advice, { key: 'advice', advice: view.explanation.advice }),
        ],
    view.plan === undefined ? null : planned(view, view.plan, now),
    h(History, { history: view.history }),
    h(Notes, { notes: view.notes }),
  );

function heading({ state, deleting, went }: MachineView): ComponentChildren {
  if (state === 'unknown') return h('p', { class: 'empty' }, 'There is no such Machine.');
  if (state === 'gone')
    return h(
      'p',
      { class: 'state' },
      h(Pill, { tone: 'good' }, 'Gone'),
      went === undefined ? '' : ` ${timeOf(went)}`,
    );
  if (state === 'living')
    return h(
      'p',
      { class: 'state' },
      h(Pill, { tone: 'plain' }, 'Lives'),
      ' It is not being deleted. This is what would happen; nothing is written.',
    );
  return deleting === undefined ? null : h('div', { class: 'card' }, h(Standing, { deleting }));
}

const timeline = ({ timeline: data }: MachineView, now: number): ComponentChildren =>
  data === undefined ? null : h(Section, { title: 'Timeline' }, h(Timeline, { timeline: data, now }));

const planned = (
  { state, hooksSet: set = {} }: MachineView,
  plan: DeletionPlan,
  now: number,
): ComponentChildren => [
  h(Holds, { key: 'holds', plan }),
  h(
    Section,
    { key: 'phases', title: state === 'living' ? 'What would happen' : 'What is left to do' },
    h(Phases, { plan }),
  ),
  h(Hooks, { key: 'hooks', plan, set, now }),
  h(Functions, { key: 'functions', plan }),
  ...[
    Refusals,
    RefusalsAhead,
    RefusalsUnknown,
    Pods,
    Unreachable,
    Namespaces,
    Volumes,
    Returning,
    Limits,
  ].map((part, index) => h(part, { key: index, plan })),
];

const tones: Record<PlannedPhase['does'], Tone> = {
  work: 'busy',
  wait: 'held',
  pass: 'good',
  skip: 'plain',
  passed: 'good',
  unknown: 'held',
};

/** What each phase would do, or has done. */
const Phases = ({ plan }: { plan: DeletionPlan }): ComponentChildren =>
  h(Table, {
    caption: 'Phases',
    heads: ['Phase', 'Does', 'Why'],
    rows: plan.phases.map(({ phase, does, why }) => [
      h('b', { class: 'whole' }, phase),
      h(Pill, { tone: tones[does] }, doesWords[does]),
      h(Message, { text: why }),
    ]),
  });
