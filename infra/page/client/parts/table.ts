import { type ComponentChildren, h, toChildArray } from 'preact';

interface TableProps {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  /** How the styles name it. A `long` one draws the rows that are in sight. */
  kind?: string;
}

/** A table that becomes a list of cards where there is no room: each cell says its column then. */
export const Table = ({ rows, ...frame }: TableProps): ComponentChildren =>
  h(
    TableFrame,
    frame,
    rows.map((cells, row) => h(Row, { key: row, heads: frame.heads, cells })),
  );

interface FrameProps extends Omit<TableProps, 'rows'> {
  children?: ComponentChildren;
}

/** A table whose rows are parts of their own. */
export const TableFrame = ({ caption, heads, kind, children }: FrameProps): ComponentChildren =>
  h(
    'table',
    // The roles stay where style.css makes cards of the rows.
    { role: 'table', ...(kind !== undefined && { class: kind }) },
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
    inBodies(toChildArray(children)).map((rows, body) => h('tbody', { key: body, role: 'rowgroup' }, rows)),
  );

/** The browser leaves out whole bodies that are out of sight: to ask that of each row would take longer. */
const rowsInBody = 40;

function inBodies(rows: readonly ComponentChildren[]): ComponentChildren[][] {
  const bodies = Math.max(1, Math.ceil(rows.length / rowsInBody));
  return Array.from({ length: bodies }, (_, body) => rows.slice(body * rowsInBody, (body + 1) * rowsInBody));
}

interface RowProps {
  heads: readonly string[];
  cells: readonly ComponentChildren[];
}

export const Row = ({ heads, cells }: RowProps): ComponentChildren =>
  h(
    'tr',
    { role: 'row' },
    cells.map((cell, column) => h('td', { key: column, role: 'cell', 'data-head': heads[column] }, cell)),
  );
