import { type ComponentChildren, h } from 'preact';

/** One topic of a Machine; it has no place where it says nothing. */
export const Section = ({
  title,
  children,
}: {
  title: string;
  children?: ComponentChildren;
}): ComponentChildren => h('section', { class: 'card' }, h('h2', null, title), children);
