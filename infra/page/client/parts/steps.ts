import { type ComponentChildren, h } from 'preact';
import type { StepState, StepView } from '../../views.ts';

const signs: Record<StepState, string> = { passed: '✓', here: '●', skipped: '–', ahead: '' };
const words: Record<StepState, string> = {
  passed: 'passed',
  here: 'now',
  skipped: 'not for this Machine',
  ahead: 'to come',
};

/** The phases as a row: a sign and a word say each state, besides its colour. */
export const Steps = ({ steps }: { steps: readonly StepView[] }): ComponentChildren =>
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
