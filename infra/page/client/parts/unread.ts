import { type ComponentChildren, h } from 'preact';

/** What could not be read. What rests on it is not known. */
export const Unread = ({ unread }: { unread: readonly string[] }): ComponentChildren =>
  unread.length === 0
    ? null
    : h(
        'section',
        { class: 'card unread', 'aria-label': 'Not read' },
        h('p', null, 'Some of it could not be read, so this is not all:'),
        h(
          'ul',
          null,
          unread.map((text) => h('li', { key: text }, text)),
        ),
      );
