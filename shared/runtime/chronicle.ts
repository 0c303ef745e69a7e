import type { Announcement } from '../announcement.ts';
import type { EventFact } from '../machine/event-fact.ts';
import type { Subject } from '../phase-definition.ts';
import type { HistoryEntry } from '../store/port.ts';
import type { Environment } from './environment.ts';

/** What a step has to tell at its end. It outlives a start that met a conflict: what was done was done. */
export interface Chronicle {
  announcements: Announcement[];
  history: Pick<HistoryEntry, 'what' | 'reason' | 'message'>[];
  /** Kubernetes Events. */
  facts: EventFact[];
}

export const emptyChronicle = (): Chronicle => ({ announcements: [], history: [], facts: [] });

/** Adds the step's decisions to the Machine's history, each once. */
export async function record(
  env: Environment,
  { machine, checkpoint }: Subject,
  { history }: Chronicle,
): Promise<void> {
  if (history.length === 0) return;
  const at = env.clock.now();
  const step = `${String(checkpoint.seq).padStart(6, '0')}-${new Date(at).toISOString()}`;
  const entries = history.map((entry, index) => ({
    ...entry,
    at,
    // Two steps may end in the same millisecond, also of one instance that stood still, and only one passes the phase.
    id: `${step}-${index}-${env.instance}-${entry.what}`,
    phase: checkpoint.phase,
    by: env.instance,
  }));
  await env.store.appendHistory(machine.ref, entries);
  history.splice(0, entries.length);
}
