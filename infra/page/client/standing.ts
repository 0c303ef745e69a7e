import { type ComponentChildren, h } from 'preact';
import type { DeletingView, StepState, StepView } from '../views.ts';
import { ActorName } from './parts/actor.ts';
import { Ago } from './parts/ago.ts';
import { Message } from './parts/message.ts';
import { StatePill } from './parts/state-pill.ts';
import { clockTime } from './parts/times.ts';

/** Where a deletion stands: its phase, for how long, what it waits for, and who has to act. */
export const Standing = ({ deleting }: { deleting: DeletingView }): ComponentChildren => {
  const { standing, steps } = deleting;
  const { state, phase, since, deletedAt, waitsFor, acts, givenUp } = standing;
  return h(
    'div',
    { class: `standing standing-${state}` },
    h(
      'p',
      { class: 'facts' },
      h(StatePill, { state }),
      phase === undefined
        ? null
        : h('span', null, phase, since === undefined ? null : [' for ', h(Ago, { key: 'for', time: since })]),
      h('span', null, 'deletion began ', h(Ago, { time: deletedAt }), ' ago'),
      givenUp?.at === undefined
        ? null
        : h('span', null, `given up at ${clockTime(givenUp.at)}: ${givenUp.afterwards}`),
    ),
    h(Steps, { steps }),
    h(
      'div',
      { class: 'waits' },
      h('p', { class: 'reason' }, waitsFor.reason),
      h(Message, { text: waitsFor.message }),
    ),
    h(
      'p',
      { class: 'actor' },
      h('b', null, state === 'progressing' ? 'Acts now: ' : 'Who has to act: '),
      h(ActorName, { actor: acts }),
    ),
  );
};

const signs: Record<StepState, string> = { passed: '✓', here: '●', skipped: '–', ahead: '' };
const words: Record<StepState, string> = {
  passed: 'passed',
  here: 'now',
  skipped: 'not for this Machine',
  ahead: 'to come',
};

/** The phases as a row: a sign and a word say each state, besides its colour. */
const Steps = ({ steps }: { steps: readonly StepView[] }): ComponentChildren =>
  h(
    'ol',
    { class: 'steps', 'aria-label': 'Phases' },
    steps.map(({ phase, state }) =>
      h(
        'li',
        { key: phase, class: `step step-${state}`, ...(state === 'here' && { 'aria-current': 'step' }) },
        h('span', { class: 'step-sign', 'aria-hidden': 'true' }, signs[state]),
        h('span', { class: 'step-name' }, phase),
        h('span', { class: 'hidden' }, `, ${words[state]}`),
      ),
    ),
  );
