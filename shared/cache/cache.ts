import { SingleFlight } from '../async/shared-reads.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type { ObjectList } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { forDeleteMilliseconds } from '../phase/snapshot.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';
import { LruMap } from './lru-map.ts';
import type { MachineNotes, NodeSearch } from './machine-notes.ts';
import { TtlCache } from './ttl-cache.ts';

/** Of one Machine: more than a Node has. Pods that come back and are evicted again, for days, must not fill the memory. */
const maxPods = 1_000;

/**
 * What an instance has just seen. It saves requests and is never law: everything in it may be lost at any moment,
 * and nothing destructive rests on it without a precondition that the API server tests.
 */
export class Cache {
  readonly clock: Clock;
  readonly objects: TtlCache<KubeObject | undefined>;
  readonly lists: TtlCache<ObjectList>;
  /** Of Nodes by providerID, for each workload cluster: the Nodes themselves would fill the memory. */
  readonly nodeNames: TtlCache<ReadonlyMap<string | undefined, readonly string[]>>;
  /** Of the Machines of a Cluster, as much of each as others are judged by. */
  readonly clusterMachines: TtlCache<ObjectList>;
  readonly nextLists = new SingleFlight<ObjectList>();
  /** By UID of a Machine. */
  readonly #notes = new LruMap<MachineNotes>();
  readonly #gone = new LruMap<Stopwatch>();

  constructor(clock: Clock) {
    this.clock = clock;
    // A fleet's first deletes come later than many other reads.
    this.objects = new TtlCache(clock, forDeleteMilliseconds);
    this.lists = new TtlCache(clock);
    this.nodeNames = new TtlCache(clock);
    this.clusterMachines = new TtlCache(clock);
  }

  /** What this instance remembers of a Machine. */
  notes(uid: string): Readonly<MachineNotes> {
    return this.#notes.get(uid) ?? {};
  }

  /** Remembers this of a Machine too, in place of what it knew of the same fields. */
  note(uid: string, changes: MachineNotes): void {
    this.#notes.set(uid, { ...this.notes(uid), ...changes });
  }

  /** The Machine as last read or as a write of ours was answered, and how long ago that was. */
  machine(uid: string): { raw: KubeObject; age: Stopwatch } | undefined {
    return this.notes(uid).seen;
  }

  /**
   * `age`: started when its read began, since it may have changed by the time of the answer. What was seen later, a
   * write of ours for one, stays.
   */
  rememberMachine(raw: KubeObject, age: Stopwatch = this.clock.stopwatch()): void {
    const { uid } = raw.metadata;
    if (uid === undefined) return;
    const known = this.machine(uid);
    if (known !== undefined && known.age() < age()) return;
    this.note(uid, { seen: { raw, age } });
  }

  forgetMachine(uid: string): void {
    this.note(uid, { seen: undefined });
  }

  /** A UID does not come back, unless a backup of the cluster does: what is still heard of this Machine is old. */
  rememberGone(uid: string): void {
    this.#notes.delete(uid);
    this.#gone.set(uid, this.clock.stopwatch());
  }

  /** It was there in a read that began, `age` ago, after it was known to be gone: so it is not. */
  rememberBack(uid: string, age: Stopwatch): void {
    const gone = this.#gone.get(uid);
    if (gone !== undefined && age() < gone()) this.#gone.delete(uid);
  }

  isGone(uid: string): boolean {
    return this.#gone.get(uid) !== undefined;
  }

  /** What this instance knows of a Machine's Pods: it stands in for a store that does not answer. */
  pods(machineUid: string): PodRecord[] {
    return this.notes(machineUid).pods?.values() ?? [];
  }

  rememberPods(machineUid: string, records: readonly PodRecord[]): void {
    const pods = this.notes(machineUid).pods ?? new LruMap<PodRecord>(maxPods);
    for (const record of records) pods.set(record.podUid, record);
    this.note(machineUid, { pods });
  }
}

/** Their events come soon or not at all. */
const maxWrites = 8;

/** Remembers which version of the Machine a write of this instance has made: its event is no news to any instance. */
export function rememberOwnWrite(cache: Cache, { metadata: { uid, resourceVersion } }: KubeObject): void {
  if (uid === undefined || resourceVersion === undefined) return;
  cache.note(uid, { ownWrites: [...ownWrites(cache, uid), resourceVersion].slice(-maxWrites) });
}

/** The resourceVersions of the last ones, oldest first. */
export const ownWrites = (cache: Cache, uid: string): readonly string[] => cache.notes(uid).ownWrites ?? [];

/** Somebody may uncordon a Node meanwhile: after this time it is read again. */
const ageMilliseconds = 60_000;

/**
 * UID of the Node that this Machine's drain has cordoned, or has seen cordoned, within a minute.
 * @param node its cluster and its name
 */
export function cordonedNode(cache: Cache, uid: string, node: string): string | undefined {
  const { cordon } = cache.notes(uid);
  return cordon?.node === node && cordon.age() <= ageMilliseconds ? cordon.uid : undefined;
}

/** The Node is cordoned. `node` as in `cordonedNode`. */
export const rememberCordon = (cache: Cache, uid: string, node: string, nodeUid: string): void =>
  cache.note(uid, { cordon: { node, uid: nodeUid, age: cache.clock.stopwatch() } });

/** A later try than this does not belong to the same search: there was a pause, or the instance froze. */
const maxBetweenMilliseconds = 20_000;

/** The Node of this Machine could not be looked for once more. */
export function rememberVainSearch(cache: Cache, uid: string): NodeSearch {
  const before = cache.notes(uid).nodeSearch;
  const since = before === undefined ? 0 : Math.min(before.age(), maxBetweenMilliseconds);
  const nodeSearch = {
    times: (before?.times ?? 0) + 1,
    milliseconds: (before?.milliseconds ?? 0) + since,
    age: cache.clock.stopwatch(),
  };
  cache.note(uid, { nodeSearch });
  return nodeSearch;
}
