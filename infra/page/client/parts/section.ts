import { type ComponentChildren, h } from 'preact';

/** One topic of a Machine; it has no place where it says nothing. */
export const Section = ({
  title,
  children,
}: {
  title: string;
  children?: ComponentChildren;
}): ComponentChildren => h('section', { class: 'card' }, h('h2', null, title), children);

/** A section on several things; it has no place where there are none. */
export const sectionOf = (
  title: string,
  things: readonly unknown[],
  show: () => ComponentChildren,
): ComponentChildren => (things.length === 0 ? null : h(Section, { title }, show()));

export const List = ({ texts }: { texts: readonly string[] }): ComponentChildren =>
  h(
    'ul',
    null,
    texts.map((text) => h('li', { key: text }, text)),
  );
