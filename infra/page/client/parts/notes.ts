import { h } from 'preact';
import { still } from './still.ts';

/** What was done to a dump, so that it can be shown. */
export const Notes = still(({ notes }: { notes: readonly string[] }) =>
  notes.length === 0
    ? null
    : h(
        'details',
        { class: 'notes' },
        h('summary', null, `How this dump was read (${notes.length})`),
        h(
          'ul',
          null,
          notes.map((text) => h('li', { key: text }, text)),
        ),
      ),
);
