import { type ComponentChildren, h } from 'preact';
import type { State } from '../../../shared/explain/deletion-status.ts';
import type { DeletingView, StepState, StepView } from '../views.ts';
import { Address } from './parts/address.ts';
import { Message } from './parts/message.ts';
import { Pill, type Tone } from './parts/pill.ts';
import { clockTime, duration } from './parts/times.ts';

const states: Record<State, [Tone, string]> = {
  held: ['held', 'Held'],
  late: ['held', 'Late'],
  progressing: ['busy', 'Progressing'],
};

/** Where a deletion stands: its phase, for how long, what it waits for, and who has to act. */
export const Standing = ({ deleting, now }: { deleting: DeletingView; now: number }): ComponentChildren => {
  const { standing, steps } = deleting;
  const { state, phase, since, deletedAt, waitsFor, acts, givenUp } = standing;
  const [tone, word] = states[state];
  const ago = (time: string): string => duration(now - Date.parse(time));
  return h(
    'div',
    { class: `standing standing-${state}` },
    h(
      'p',
      { class: 'facts' },
      h(Pill, { tone }, word),
      phase === undefined
        ? null
        : h('span', null, since === undefined ? phase : `${phase} for ${ago(since)}`),
      h('span', null, `deletion began ${ago(deletedAt)} ago`),
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
      acts.name,
      (acts.help ?? []).map((text) => h('span', { key: text }, ' · ', h(Address, { text }))),
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
