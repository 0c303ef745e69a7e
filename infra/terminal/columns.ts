/** Spaces between two columns. */
export const gap = 2;

type Row = readonly string[];

/** The width of each column: that of its widest cell. */
export function widthsOf(rows: readonly Row[]): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
}

/** The cells as one line, each as wide as its column. */
export const aligned = (cells: Row, widths: readonly number[]): string =>
  cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(' '.repeat(gap))
    .trimEnd();
