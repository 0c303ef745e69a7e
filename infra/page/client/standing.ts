import { type ComponentChildren, h } from 'preact';
import type { State } from '../../../shared/explain/deletion-status.ts';
import type { DeletingView } from '../views.ts';
import { Message } from './parts/message.ts';
import { Pill, type Tone } from './parts/pill.ts';
import { Steps } from './parts/steps.ts';
import { clockTime, duration } from './parts/times.ts';

const states: Record<State, [Tone, string]> = {
  held: ['held', 'Held'],
  late: ['held', 'Late'],
  goes: ['busy', 'Goes on'],
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
    h('p', { class: 'actor' }, h('b', null, state === 'goes' ? 'Acts now: ' : 'Who has to act: '), acts.name),
  );
};
