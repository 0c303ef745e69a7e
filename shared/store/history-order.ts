import type { HistoryEntry } from './port.ts';

/** By id and not by time, since the clocks of two instances differ; digits count as numbers. */
export function inOrder(entries: HistoryEntry[]): HistoryEntry[] {
  const collator = new Intl.Collator('en', { numeric: true });
  return entries.toSorted((one, other) => collator.compare(one.id, other.id));
}
