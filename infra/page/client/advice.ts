import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';
import type { Advice as OneAdvice } from '../../../shared/explain/explanation.ts';
import { Pill, type Tone } from './parts/pill.ts';
import { sectionOf } from './parts/section.ts';

const does: Record<OneAdvice['does'], [Tone, string]> = {
  looks: ['good', 'only looks'],
  changes: ['busy', 'changes'],
  destroys: ['held', 'destroys'],
};

/** Commands to copy, the harmless first. */
export const Advice = ({ advice }: { advice: readonly OneAdvice[] }): ComponentChildren =>
  sectionOf('What to do', advice, () =>
    advice.map(({ does: what, command, why, costs }) => {
      const [tone, word] = does[what];
      return h(
        'div',
        { key: command, class: 'advice' },
        h('p', null, h(Pill, { tone }, word), ` ${why}`),
        costs === undefined ? null : h('p', { class: 'costs' }, h('b', null, 'It costs: '), costs),
        h(Command, { command }),
      );
    }),
  );

/** A command to copy. */
export const Command = ({ command }: { command: string }): ComponentChildren => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
  };
  return h(
    'div',
    { class: 'command' },
    h('code', null, command),
    h(
      'button',
      { type: 'button', onClick: () => void copy(), 'aria-label': `Copy: ${command}` },
      isCopied ? 'Copied' : 'Copy',
    ),
  );
};
