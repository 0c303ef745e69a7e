import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Fact } from '../machine/messages.ts';
import type { MachineEvent } from '../machine/report.ts';
import type { HistoryEntry } from '../store/port.ts';

/** What a step has to tell at its end. It outlives a start that met a conflict: what was done was done. */
export interface Journal {
  facts: Fact[];
  history: Noted[];
  /** Kubernetes Events. */
  events: MachineEvent[];
}

export const emptyJournal = (): Journal => ({ facts: [], history: [], events: [] });

/** What was decided where the deletion stands. */
export function recordDecision({ history }: Journal, { phase, seq }: Checkpoint, entry: HistoryNote): void {
  history.push({ ...entry, phase, seq });
}

/** Where the deletion stood is part of it: a later start of the step may find it elsewhere. */
export type Noted = HistoryNote & Pick<HistoryEntry, 'phase'> & { seq: number };

/** `error`: what failed; `detail`: the same with verb, path, host and code, where that says more. */
export type HistoryNote = Pick<HistoryEntry, 'what' | 'reason' | 'message'> & {
  error?: string;
  detail?: string;
};
