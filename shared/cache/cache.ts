import { SingleFlight } from '../async/shared-reads.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type { ObjectList } from '../kubernetes/client.ts';
import type { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { forDeleteMilliseconds } from '../phase/snapshot.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';
import { LruMap } from './lru-map.ts';
import type { MachineNotes, NodeSearch } from './machine-notes.ts';
import { TtlCache } from './ttl-cache.ts';

/** Per Machine, and more than a Node has. Pods that return and are evicted again for days must not fill the memory. */
const maxPods = 1_000;

/**
 * What an instance has just seen. It saves requests, and may lose everything at any moment. Nothing destructive rests
 * on it without a precondition that the API server tests.
 */
export class Cache {
  readonly clock: Clock;
  readonly objects: TtlCache<KubeObject | undefined>;
  readonly lists: TtlCache<ObjectList>;
  /** Names of Nodes by providerID, for each workload cluster. The Nodes themselves would fill the memory. */
  readonly nodeNames: TtlCache<ReadonlyMap<string | undefined, readonly string[]>>;
  /** The Machines of a Cluster, with only the fields that others are judged by. */
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

  /** Remembers these fields of a Machine, in place of their earlier values. */
  note(uid: string, changes: MachineNotes): void {
    this.#notes.set(uid, { ...this.notes(uid), ...changes });
  }

  /** The Machine as last read, or as the answer to our last write, and its age. */
  machine(uid: string): { raw: KubeObject; age: Stopwatch } | undefined {
    return this.notes(uid).seen;
  }

  /**
   * `age` starts when the read began: the Machine may change before the answer. A later observation stays, such as
   * the answer to our write.
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

  /** A UID returns only with a restored backup of the cluster. Later events of this Machine are old. */
  rememberGone(uid: string): void {
    this.#notes.delete(uid);
    this.#gone.set(uid, this.clock.stopwatch());
  }

  /** A read that began after the Machine was gone has found it, so it is back. `age`: since that read began. */
  rememberBack(uid: string, age: Stopwatch): void {
    const gone = this.#gone.get(uid);
    if (gone !== undefined && age() < gone()) this.#gone.delete(uid);
  }

  isGone(uid: string): boolean {
    return this.#gone.get(uid) !== undefined;
  }

  /** What this instance knows of a Machine's Pods. It replaces a store that does not answer. */
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

/** Remembers the version that our write of the Machine made. Its event is no news to any instance. */
export function rememberOwnWrite(cache: Cache, { metadata: { uid, resourceVersion } }: KubeObject): void {
  if (uid === undefined || resourceVersion === undefined) return;
  cache.note(uid, { ownWrites: [...ownWrites(cache, uid), resourceVersion].slice(-maxWrites) });
}

/** The resourceVersions of the last own writes, oldest first. */
export const ownWrites = (cache: Cache, uid: string): readonly string[] => cache.notes(uid).ownWrites ?? [];

/** Somebody may uncordon the Node meanwhile, so it is read again after this time. */
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

/** What an API has answered that wants a pause about a Machine's Node. Undefined if none lasts. */
export function nodeRests(cache: Cache, uid: string): string | undefined {
  const { nodeRest: rest } = cache.notes(uid);
  return rest !== undefined && rest.age() < rest.milliseconds ? rest.why : undefined;
}

/** Notes the pause that an API asks for about a Machine's Node, if it does. */
export function rememberNodeRest(cache: Cache, uid: string, error: Unavailable): void {
  const { retryAfterSeconds: seconds, statusText: why } = error;
  if (seconds === undefined) return;
  cache.note(uid, { nodeRest: { age: cache.clock.stopwatch(), milliseconds: seconds * 1_000, why } });
}

/** A longer gap between two tries counts as this long: there was a pause, or the instance froze. */
const maxBetweenMilliseconds = 20_000;

/** Counts one more failed search for this Machine's Node. */
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
