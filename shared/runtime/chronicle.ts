import type { Announcement } from '../announcement.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { EventFact } from '../machine/event-fact.ts';
import type { Subject } from '../phase-definition.ts';
import type { HistoryEntry } from '../store/port.ts';
import type { Environment } from './environment.ts';
import type { Turn } from './turn.ts';
import { writeEvents } from './write-events.ts';

/** Where the deletion stood is part of it: a later start of the step may find it elsewhere. */
type Noted = Pick<HistoryEntry, 'what' | 'reason' | 'message' | 'phase'> & { seq: number };

/** What a step has to tell at its end. It outlives a start that met a conflict: what was done was done. */
export interface Chronicle {
  announcements: Announcement[];
  history: Noted[];
  /** Kubernetes Events. */
  facts: EventFact[];
}

export const emptyChronicle = (): Chronicle => ({ announcements: [], history: [], facts: [] });

/** What was decided where the deletion stands. */
export function note(
  { history }: Chronicle,
  { phase, seq }: Checkpoint,
  entry: Pick<HistoryEntry, 'what' | 'reason' | 'message'>,
): void {
  history.push({ ...entry, phase, seq });
}

/**
 * Puts what was done on record, in Events and in the history, however the step ends: no later one would tell of it.
 * Answers as `writeEvents` does.
 */
export async function keepRecord({ env, arrived: { subject }, chronicle }: Turn): Promise<boolean> {
  const [areWritten] = await Promise.all([
    writeEvents(env, subject, chronicle.facts),
    record(env, subject, chronicle),
  ]);
  return areWritten;
}

/** Adds the step's decisions to the Machine's history, each once. */
export async function record(
  env: Environment,
  { machine }: Pick<Subject, 'machine'>,
  { history }: Chronicle,
): Promise<void> {
  if (history.length === 0) return;
  const at = env.clock.now();
  const time = new Date(at).toISOString();
  const entries = history.map(({ seq, ...entry }, index) => ({
    ...entry,
    at,
    // Two steps may end in the same millisecond, also of one instance that stood still, and only one passes the phase.
    id: `${String(seq).padStart(6, '0')}-${time}-${index}-${env.instance}-${entry.what}`,
    by: env.instance,
  }));
  await env.store.appendHistory(machine.ref, entries);
  history.splice(0, entries.length);
}
