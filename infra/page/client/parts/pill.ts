import { type ComponentChildren, h } from 'preact';

export type Tone = 'held' | 'busy' | 'good' | 'plain';

const signs: Record<Tone, string> = { held: '▲', busy: '●', good: '✓', plain: '○' };

/** A state in a word, with a sign of its own. */
export const Pill = ({ tone, children }: { tone: Tone; children?: ComponentChildren }): ComponentChildren =>
  h(
    'span',
    { class: `pill pill-${tone}` },
    h('span', { 'aria-hidden': 'true' }, `${signs[tone]} `),
    children,
  );
