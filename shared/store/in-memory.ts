import { type EvictionRecord, type PodRecord, withEviction } from '../drain/pod-record.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Clock } from '../time/clock.ts';
import { type Archive, nodeOf, placesBy, placesOf, podPlace, pointerRetentionSeconds } from './clue.ts';
import { inOrder } from './history-order.ts';
import { createMemoryLooks } from './in-memory-looks.ts';
import type { HistoryEntry, Store } from './port.ts';
import { expiryOf, hasExpired, historyRetentionSeconds, podRecordRetentionSeconds } from './retention.ts';

/** A store in this process, with the semantics of the real one. For tests and simulations. */
export function createMemoryStore(clock: Clock): Store & Archive {
  const pods = new Shelves<PodRecord>(clock, podRecordRetentionSeconds);
  const entries = new Shelves<HistoryEntry>(clock, historyRetentionSeconds);
  const pointers = new Shelves<MachineRef>(clock, pointerRetentionSeconds());
  const point = (places: Iterable<string>, machine: MachineRef): void => {
    for (const place of places) pointers.put(place, machine.uid, machine);
  };

  return {
    ...createMemoryLooks(clock),
    async recordEvictions(machine, evictions) {
      recordEvictions(pods, machine.uid, evictions);
      point(evictions.map(podPlace), machine);
    },
    podRecords: async (machineUid) => pods.all(machineUid),
    async appendHistory(machine, added) {
      for (const entry of added) {
        if (entries.get(machine.uid, entry.id) === undefined) entries.put(machine.uid, entry.id, entry);
      }
      if (added.length > 0) point([machine.uid, ...placesOf(machine, nodeOf(added), clock.now())], machine);
    },
    history: async (machineUid) => inOrder(entries.all(machineUid)),
    async machinesBy(clue) {
      const places = clue.kind === 'uid' ? [clue.uid] : placesBy(clue, clock.now());
      const found = places.flatMap((place) => pointers.all(place));
      return [...new Map(found.map((machine) => [machine.uid, machine])).values()];
    },
  };
}

function recordEvictions(pods: Shelves<PodRecord>, machineUid: string, evictions: EvictionRecord[]): void {
  for (const eviction of evictions) {
    const record = pods.get(machineUid, eviction.podUid);
    pods.put(machineUid, eviction.podUid, withEviction(record, eviction));
  }
}

/** One shelf per Machine, or per place. What has expired is not there. No caller holds the same object as the shelf. */
class Shelves<T> {
  readonly #clock: Clock;
  readonly #retentionSeconds: number;
  readonly #shelves = new Map<string, Map<string, { value: T; expires: number }>>();

  constructor(clock: Clock, retentionSeconds: number) {
    this.#clock = clock;
    this.#retentionSeconds = retentionSeconds;
  }

  get(name: string, key: string): T | undefined {
    const kept = this.#shelves.get(name)?.get(key);
    if (kept === undefined || hasExpired(kept.expires, this.#clock.now())) return undefined;
    return structuredClone(kept.value);
  }

  put(name: string, key: string, value: T): void {
    const shelf = this.#shelves.get(name) ?? new Map<string, { value: T; expires: number }>();
    const expires = expiryOf(this.#clock.now(), this.#retentionSeconds);
    this.#shelves.set(name, shelf.set(key, { value: structuredClone(value), expires }));
  }

  all(name: string): T[] {
    const keys = [...(this.#shelves.get(name)?.keys() ?? [])].toSorted();
    return keys.map((key) => this.get(name, key)).filter((value) => value !== undefined);
  }
}
