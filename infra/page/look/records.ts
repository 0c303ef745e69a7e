import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Seen } from './machine-watch.ts';
import { whyUnread } from './why-unread.ts';

/** What is remembered of one deletion. */
export interface Records {
  history: readonly HistoryEntry[];
  pods: readonly PodRecord[];
  /** Why it was not read; empty where it was. */
  unread: readonly string[];
}

const none: Records = { history: [], pods: [], unread: [] };

/** A living Machine has none. */
export async function recordsOf(
  { machine: { metadata } }: Pick<Seen, 'machine'>,
  sight: { recordsOf: (machineUid: string) => Promise<Records> },
): Promise<Records> {
  if (metadata.deletionTimestamp === undefined) return none;
  try {
    return await sight.recordsOf(metadata.uid ?? '');
  } catch (error) {
    return { ...none, unread: [whyUnread('history', error)] };
  }
}
