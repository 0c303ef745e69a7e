import type { Instant } from '../time/clock.ts';
import type { PodRecord } from './pod-record.ts';

/** The peer evicts a Pod that shows no deletionTimestamp at every pass, and a pass takes it this long. */
const believedMilliseconds = 20_000;

/**
 * The records as far as they still say something. An eviction that was accepted shows in the Pod at once: where it
 * has not, long after, the record is of a past that was taken back (a restored API server), and the Pod would be
 * waited for until the record expires.
 */
export function believedRecords(
  records: ReadonlyMap<string, PodRecord>,
  now: Instant,
): ReadonlyMap<string, PodRecord> {
  const isBelieved = ({ outcome, lastAttempt }: PodRecord): boolean =>
    // Another instance's clock may be ahead of ours.
    outcome === 'refused' || Math.abs(now - lastAttempt) <= believedMilliseconds;
  return new Map([...records].filter(([, record]) => isBelieved(record)));
}
