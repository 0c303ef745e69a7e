import type { MachineEvent } from '../machine/report.ts';
import type { Cache } from './cache.ts';

/** A permission that is missing for good costs a request for each Machine in this time, and not one at each look. */
const restMilliseconds = 30_000;

/** The last ones say how it stands. */
const maxEvents = 10;

/**
 * Keeps Events that a permission or a policy forbids to write: where an API shows nothing else, only they explain the wait.
 * Those of the same step that are kept already need not wait any longer for these.
 */
export function keepUnsent(cache: Cache, uid: string, seq: number, events: readonly MachineEvent[]): void {
  const unsent = cache.notes(uid).unsentEvents;
  const before = unsent?.seq === seq ? unsent : { events: [], age: cache.clock.stopwatch() };
  const all = [...before.events, ...events].slice(-maxEvents);
  cache.note(uid, { unsentEvents: { seq, events: all, age: before.age } });
}

/** What is tried again now, and kept no longer. What is of an earlier step is told no more. */
export function takeUnsent(cache: Cache, uid: string, seq: number): readonly MachineEvent[] {
  const unsent = cache.notes(uid).unsentEvents;
  if (unsent === undefined || (unsent.seq === seq && unsent.age() < restMilliseconds)) return [];
  cache.note(uid, { unsentEvents: undefined });
  return unsent.seq === seq ? unsent.events : [];
}
