import { type ComponentChildren, h } from 'preact';

/** Text of a cluster that may be an address: a link for http and https alone. All else stays text. */
export const Address = ({ text }: { text: string }): ComponentChildren =>
  isAddress(text) ? h('a', { href: text, target: '_blank', rel: 'noopener noreferrer' }, text) : text;

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
