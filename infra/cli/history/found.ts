import { forEachLimited } from '../../../shared/async/parallel.ts';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { MachineRef } from '../../../shared/machine/machine.ts';
import type { Archive, Clue } from '../../../shared/store/clue.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { HistoryOptions } from './options.ts';

/** One Machine's history, as far as it is asked for. */
export interface Found {
  machine: MachineRef;
  entries: readonly HistoryEntry[];
  pods: readonly PodRecord[];
}

/** The histories that are asked for, the newest first. Throws StoreUnavailable. */
export async function findHistories(
  archive: Archive,
  { wanted: { clue, group }, since }: Pick<HistoryOptions, 'wanted' | 'since'>,
): Promise<Found[]> {
  const machines = (await archive.machinesBy(clue)).filter(
    ({ apiVersion }) => group === undefined || apiVersion.startsWith(`${group}/`),
  );
  const found = await forEachLimited(machines, async (machine): Promise<Found> => {
    const { uid } = machine;
    const [entries, pods] = await Promise.all([archive.history(uid), archive.podRecords(uid)]);
    return {
      machine,
      entries: entries.filter(({ at }) => at >= (since ?? -Infinity)),
      pods: pods.filter((pod) => isMeant(pod, clue) && pod.lastAttempt >= (since ?? -Infinity)),
    };
  });
  // A pointer may outlive what it points to by a day.
  return found
    .filter(({ entries, pods }) => entries.length > 0 || pods.length > 0)
    .toSorted((one, other) => lastOf(other) - lastOf(one));
}

const isMeant = (pod: PodRecord, clue: Clue): boolean =>
  clue.kind !== 'pod' || (pod.namespace === clue.namespace && pod.name === clue.name);

const lastOf = ({ entries, pods }: Found): Instant =>
  Math.max(...entries.map(({ at }) => at), ...pods.map(({ lastAttempt }) => lastAttempt));
