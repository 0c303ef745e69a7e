import { type ComponentChildren, h } from 'preact';
import { List } from './section.ts';
import { still } from './still.ts';

/** What could not be read. What rests on it is not known. */
export const Unread = ({ unread }: { unread: readonly string[] }): ComponentChildren =>
  unread.length === 0
    ? null
    : h(
        'section',
        { class: 'card unread', 'aria-label': 'Not read' },
        h('p', null, 'Some of it could not be read, so this is not all:'),
        h(List, { texts: unread }),
      );

/** What was done to a dump, so that it can be shown. */
export const Notes = still(({ notes }: { notes: readonly string[] }) =>
  notes.length === 0
    ? null
    : h(
        'details',
        { class: 'notes' },
        h('summary', null, `How this dump was read (${notes.length})`),
        h(List, { texts: notes }),
      ),
);
