import type { Checkpoint } from '../machine/checkpoint.ts';
import type { MachineEvent } from '../machine/kubernetes-event.ts';
import type { Fact } from '../machine/messages.ts';
import type { HistoryEntry } from '../store/port.ts';

/** What a step has to tell at its end. It outlives a start that met a conflict: what was done was done. */
export interface Journal {
  announcements: Fact[];
  history: Noted[];
  /** Kubernetes Events. */
  facts: MachineEvent[];
}

export const emptyJournal = (): Journal => ({ announcements: [], history: [], facts: [] });

/** What was decided where the deletion stands. */
export function note({ history }: Journal, { phase, seq }: Checkpoint, entry: Told): void {
  history.push({ ...entry, phase, seq });
}

/** Where the deletion stood is part of it: a later start of the step may find it elsewhere. */
export type Noted = Told & Pick<HistoryEntry, 'phase'> & { seq: number };

/** `error`: what failed; `detail`: the same with verb, path, host and code, where that says more. */
export type Told = Pick<HistoryEntry, 'what' | 'reason' | 'message'> & { error?: string; detail?: string };
