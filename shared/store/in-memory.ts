import { type EvictionRecord, type PodRecord, withEviction } from '../drain/pod-record.ts';
import type { Clock } from '../time/clock.ts';
import { inOrder } from './history-order.ts';
import { createMemoryLooks } from './in-memory-looks.ts';
import type { HistoryEntry, Store } from './port.ts';
import { expiryOf, hasExpired, historyRetentionSeconds, podRecordRetentionSeconds } from './retention.ts';

/** A store in this process, with the semantics of the real one. For tests and simulations. */
export function createMemoryStore(clock: Clock): Store {
  const pods = new Shelves<PodRecord>(clock, podRecordRetentionSeconds);
  const entries = new Shelves<HistoryEntry>(clock, historyRetentionSeconds);

  return {
    ...createMemoryLooks(clock),
    recordEvictions: async (machine, evictions) => recordEvictions(pods, machine.uid, evictions),
    podRecords: async (machineUid) => pods.all(machineUid),
    async appendHistory(machine, added) {
      for (const entry of added) {
        if (entries.get(machine.uid, entry.id) === undefined) entries.put(machine.uid, entry.id, entry);
      }
    },
    history: async (machineUid) => inOrder(entries.all(machineUid)),
  };
}

function recordEvictions(pods: Shelves<PodRecord>, machineUid: string, evictions: EvictionRecord[]): void {
  for (const eviction of evictions) {
    const record = pods.get(machineUid, eviction.podUid);
    pods.put(machineUid, eviction.podUid, withEviction(record, eviction));
  }
}

/** One shelf per Machine. What has expired is not there. No caller holds the same object as the shelf. */
class Shelves<T> {
  readonly #clock: Clock;
  readonly #retentionSeconds: number;
  readonly #shelves = new Map<string, Map<string, { value: T; expires: number }>>();

  constructor(clock: Clock, retentionSeconds: number) {
    this.#clock = clock;
    this.#retentionSeconds = retentionSeconds;
  }

  get(machineUid: string, key: string): T | undefined {
    const kept = this.#shelves.get(machineUid)?.get(key);
    if (kept === undefined || hasExpired(kept.expires, this.#clock.now())) return undefined;
    return structuredClone(kept.value);
  }

  put(machineUid: string, key: string, value: T): void {
    const shelf = this.#shelves.get(machineUid) ?? new Map<string, { value: T; expires: number }>();
    const expires = expiryOf(this.#clock.now(), this.#retentionSeconds);
    this.#shelves.set(machineUid, shelf.set(key, { value: structuredClone(value), expires }));
  }

  all(machineUid: string): T[] {
    const keys = [...(this.#shelves.get(machineUid)?.keys() ?? [])].toSorted();
    return keys.map((key) => this.get(machineUid, key)).filter((value) => value !== undefined);
  }
}
