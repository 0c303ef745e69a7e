import { type ComponentChildren, h } from 'preact';

interface TableProps {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
}

/** A table that becomes a list of cards where there is no room: each cell says its column then. */
export const Table = ({ caption, heads, rows }: TableProps): ComponentChildren =>
  h(
    'table',
    // The roles stay where style.css makes cards of the rows.
    { role: 'table' },
    h('caption', { class: 'hidden' }, caption),
    h(
      'thead',
      { role: 'rowgroup' },
      h(
        'tr',
        { role: 'row' },
        heads.map((head) => h('th', { key: head, scope: 'col', role: 'columnheader' }, head)),
      ),
    ),
    h(
      'tbody',
      { role: 'rowgroup' },
      rows.map((cells, row) =>
        h(
          'tr',
          { key: row, role: 'row' },
          cells.map((cell, column) =>
            h('td', { key: column, role: 'cell', 'data-head': heads[column] }, cell),
          ),
        ),
      ),
    ),
  );
