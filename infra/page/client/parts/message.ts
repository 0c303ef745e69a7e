import { type ComponentChildren, h } from 'preact';

/** Text of a cluster: it is shown as it is, and never read as markup. */
export const Message = ({ text }: { text: string }): ComponentChildren =>
  text === '' ? null : h('p', { class: 'message' }, text);
