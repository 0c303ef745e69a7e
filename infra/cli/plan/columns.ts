import { aligned, widthsOf } from '../../terminal/columns.ts';
import { printable } from '../../terminal/words.ts';

/** Rows of cells as lines, every column as wide as its widest cell. */
export function columns(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(printable));
  const widths = widthsOf(rows);
  return rows.map((row) => aligned(row, widths));
}
