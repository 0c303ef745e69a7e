import type { Instant } from '../../../shared/time/clock.ts';
import type { RequestCount } from '../../local/kubernetes/server/request-counts.ts';
import type { Comparison } from './beside.ts';
import type { Change } from './change.ts';
import type { Other } from './others.ts';
import type { Journey, Progress } from './progress.ts';

export interface Arrangement {
  /** The source of the Machines, in a few words: `the example fleet`. */
  subject: string;
  /** The API server's. */
  url: string;
  /** Address of the page of a local cluster. */
  page?: string;
  startedAt: Instant;
  /** What was done to the manifests. */
  notes: readonly string[];
  progress: Progress;
  requests: () => RequestCount[];
  /** The Machines that are not being deleted, as they are now. */
  others: () => readonly Other[];
}

export interface Invitation {
  kubeconfig: string | undefined;
  /** URL of the store, where the history of a deletion is while this runs. */
  store: string;
  /** That file led elsewhere before. */
  isReplacement: boolean;
  /** How to make use of it, for people. */
  lines: readonly string[];
}

/** Shows what happens, in one of several ways. */
export interface Reporter {
  begin(arrangement: Arrangement): void;
  /** The command runs until it is interrupted; `kubeconfig` is the path of the file that leads to a local cluster. */
  serving(invitation: Invitation): void;
  changed(change: Change): void;
  /** A living Machine is new, or its status has changed. */
  other(other: Other): void;
  gone(journey: Journey): void;
  /** The wait is over; `left` are the Machines that are not gone. */
  end(left: readonly Journey[]): void;
  /** The same deletions by the API's own controller alone. */
  compared(comparisons: readonly Comparison[]): void;
  /** All is over, and the page stays until the command is interrupted. */
  kept(page: string): void;
  /** Text of the log. */
  complain(text: string): void;
  close(): void;
}

/** The address has a line of its own: it fits a narrow terminal. */
export const keptLines = (page: string): string[] => ['', 'The page stays until Ctrl-C:', `  ${page}`];
