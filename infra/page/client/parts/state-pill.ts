import { type ComponentChildren, h } from 'preact';
import type { State } from '../../../../shared/explain/deletion-status.ts';
import { Pill, type Tone } from './pill.ts';

const states: Record<State, [Tone, string]> = {
  held: ['held', 'Held'],
  late: ['held', 'Late'],
  progressing: ['busy', 'Progressing'],
};

/** How a deletion stands, in a word. */
export const StatePill = ({ state }: { state: State }): ComponentChildren => {
  const [tone, word] = states[state];
  return h(Pill, { tone }, word);
};
