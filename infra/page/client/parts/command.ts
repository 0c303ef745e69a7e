import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';

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
