import { type EvictionRecord, type PodRecord, withEviction } from '../drain/pod-record.ts';
import { type HookRecord, mergedRecord, turnKey } from '../machine/hook-record.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Clock } from '../time/clock.ts';
import { isUnderWay, lookAtEnd, unnamed } from './claim.ts';
import {
  type Archive,
  inOrder,
  nodeOf,
  placesBy,
  placesOf,
  podPlace,
  pointerRetentionSeconds,
} from './clue.ts';
import type { Claim, HistoryEntry, Requeue, Store } from './port.ts';
import { isThatLook, oldestDue, soonest, takesThePlaceOf } from './requeue.ts';
import {
  expiryOf,
  hasExpired,
  historyRetentionSeconds,
  hookRecordRetentionSeconds,
  podRecordRetentionSeconds,
} from './retention.ts';

/** A store in this process, with the semantics of the real one. For tests and simulations. */
export function createMemoryStore(clock: Clock): Store & Archive {
  const pods = new Shelves<PodRecord>(clock, podRecordRetentionSeconds);
  const hooks = new Shelves<HookRecord>(clock, hookRecordRetentionSeconds);
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
    async recordHook({ uid }, record) {
      const before = hooks.get(uid, turnKey(record));
      hooks.put(uid, turnKey(record), before === undefined ? record : mergedRecord(before, record));
    },
    hookRecords: async (machineUid) => hooks.all(machineUid),
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

/** What is kept of one Machine. */
interface Kept {
  look: Requeue;
  claim?: Pick<Claim, 'by' | 'until'>;
  ours: readonly string[];
  news: readonly string[];
}

type Looks = Pick<Store, 'schedule' | 'due' | 'unschedule' | 'claim' | 'release' | 'hear'>;

/** The looks of a store in memory, and the claims on their Machines. */
function createMemoryLooks(clock: Pick<Clock, 'now'>): Looks {
  const items = new Map<string, Kept>();
  return {
    async schedule(look) {
      const kept = items.get(look.machine.uid);
      if (kept !== undefined && !takesThePlaceOf(look, kept.look, clock.now())) return false;
      items.set(look.machine.uid, { ours: [], news: [], ...kept, look: structuredClone(look) });
      return true;
    },
    async due(now, limit) {
      const looks = [...items.values()].map(({ look }) => look);
      const due = looks.filter(({ at }) => at <= now && at >= oldestDue(now));
      return structuredClone(soonest(due, Math.max(0, limit)));
    },
    async unschedule(machineUid, look) {
      const kept = items.get(machineUid);
      if (look === undefined || (kept !== undefined && isThatLook(look, kept.look))) items.delete(machineUid);
    },
    async claim(claim) {
      const { machine, by, at, until } = claim;
      const kept = items.get(machine.uid);
      const isHeld = kept?.claim !== undefined && kept.claim.by !== by && isUnderWay(kept.claim.until, at);
      if (isHeld) return { kind: 'held' };
      const { look, ours = [], news = [] } = kept ?? {};
      items.set(machine.uid, {
        look: structuredClone(lookAtEnd(claim)),
        claim: { by, until },
        ours,
        news: [],
      });
      return { kind: 'taken', before: { ...(look && { look: structuredClone(look) }), ours, news } };
    },
    async release({ machine, by, look, ours }) {
      const kept = items.get(machine.uid);
      if (kept?.claim?.by !== by) return { kind: 'lost' };
      if (look === undefined) items.delete(machine.uid);
      else items.set(machine.uid, { look: structuredClone(look), ours: [...ours], news: [] });
      return { kind: 'released', news: kept.news };
    },
    async hear(machineUid, resourceVersion) {
      const kept = items.get(machineUid);
      if (kept?.claim !== undefined && isUnderWay(kept.claim.until, clock.now())) {
        items.set(machineUid, { ...kept, news: [...new Set([...kept.news, resourceVersion ?? unnamed])] });
        return 'noted';
      }
      return resourceVersion !== undefined && kept?.ours.includes(resourceVersion) === true ? 'echo' : 'free';
    },
  };
}
