import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Went } from '../views.ts';

/** A Machine goes with its last finalizer: a watch tells of it within this time. */
const noticedWithin = 1_000;

/** When a Machine went, by the history where that knows it better than who looked. */
export function wentBy({ at, after }: Went, history: readonly HistoryEntry[]): Went {
  const end = history.findLast(({ what }) => what === 'completed')?.at;
  // Others may have held it for longer than we did.
  const earliest = after ?? at - noticedWithin;
  return end !== undefined && end >= earliest
    ? { at: Math.min(end, at) }
    : { at, ...(after !== undefined && { after }) };
}

/** How long its deletion took; where its end was not seen, how long at most. Undefined where it was never seen to begin. */
export function tookSeconds({ at }: Went, deletionTimestamp: string | undefined): number | undefined {
  const asked: Instant = Date.parse(deletionTimestamp ?? '');
  return Number.isNaN(asked) ? undefined : Math.max(0, at - asked) / 1_000;
}
