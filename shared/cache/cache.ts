import { SingleFlight } from '../async/single-flight.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type { ObjectList } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Clock, Instant, Stopwatch } from '../time/clock.ts';
import { remember } from './lru-map.ts';
import { NodeSearches } from './node-search.ts';
import { Provisioned } from './provisioned.ts';
import { Refusals } from './refusals.ts';
import { SaidStatuses, timeless } from './status-writes.ts';
import { TtlCache } from './ttl-cache.ts';
import { OwedEvents } from './unsent-events.ts';

/** Of one Machine: more than a Node has. Pods that come back and are evicted again, for days, must not fill the memory. */
const maxPods = 1_000;

/**
 * An API server forgets an Event after an hour, also where what it tells goes on: after this time it is made again, and
 * refused where it is still there.
 */
const toldMilliseconds = 10 * 60_000;

/** That a provider wants to be left alone about a Machine, as it is, for a while. */
export interface Rest {
  /** Started when it said so. */
  age: Stopwatch;
  milliseconds: number;
  /** Of the Machine: a changed one is another question. */
  generation: number;
  message: string;
}

/** A look that this instance has set, or would have set if there had not been a sooner one. */
interface SetLook {
  at: Instant;
  /** Of the checkpoint at which it was set. */
  seq: number;
}

/**
 * What an instance has just seen. It saves requests and is never law: everything in it may be lost at any moment,
 * and nothing destructive rests on it without a precondition that the API server tests.
 */
export class Cache {
  readonly objects: TtlCache<KubeObject | undefined>;
  readonly lists: TtlCache<ObjectList>;
  /** Of Nodes by providerID, for each workload cluster: the Nodes themselves would fill the memory. */
  readonly nodeNames: TtlCache<ReadonlyMap<string | undefined, readonly string[]>>;
  readonly nextLists = new SingleFlight<ObjectList>();
  readonly inStep: Provisioned;
  readonly owedEvents: OwedEvents;
  readonly said: SaidStatuses;
  /** By resourceVersion: an API server that refuses one status mostly refuses all, and its words change. */
  readonly refusedStatuses: Refusals;
  /** Of checkpoints and finalizers, that were told a moment ago. */
  readonly refusedWrites: Refusals;
  readonly vainLooks: NodeSearches;
  /** UIDs of Nodes known to be cordoned. */
  readonly cordons: TtlCache<string>;

  /** By UID of a Machine: the last of this instance. */
  readonly looks = new Map<string, SetLook>();
  readonly #clock: Clock;
  readonly #pods = new Map<string, Map<string, PodRecord>>();
  readonly #futile = new Map<string, string>();
  readonly #told = new Map<string, { text: string; age: Stopwatch }>();
  readonly #noted = new Map<string, string>();
  readonly #rests = new Map<string, Rest>();
  readonly #gone = new Map<string, Stopwatch>();
  readonly #machines = new Map<string, { raw: KubeObject; age: Stopwatch }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.objects = new TtlCache(clock);
    this.lists = new TtlCache(clock);
    this.nodeNames = new TtlCache(clock);
    this.vainLooks = new NodeSearches(clock);
    this.cordons = new TtlCache(clock);
    this.inStep = new Provisioned(clock);
    this.owedEvents = new OwedEvents(clock);
    this.said = new SaidStatuses(clock);
    this.refusedStatuses = new Refusals(clock, 60_000);
    this.refusedWrites = new Refusals(clock, 4_000);
  }

  /** The Machine as last read or as a write of ours was answered, and how long ago that was. */
  machine(uid: string): { raw: KubeObject; age: Stopwatch } | undefined {
    return this.#machines.get(uid);
  }

  /**
   * `age`: started when its read began, since it may have changed by the time of the answer. What was seen later, a
   * write of ours for one, stays.
   */
  rememberMachine(raw: KubeObject, age: Stopwatch = this.#clock.stopwatch()): void {
    const { uid } = raw.metadata;
    if (uid === undefined) return;
    const known = this.#machines.get(uid);
    if (known !== undefined && known.age() < age()) return;
    remember(this.#machines, uid, { raw, age });
  }

  forgetMachine(uid: string): void {
    this.#machines.delete(uid);
  }

  /** A write of this status at this version was accepted and changed nothing. */
  isStatusKnownFutile(uid: string, resourceVersion: string, status: object): boolean {
    return this.#futile.get(uid) === futility(resourceVersion, status);
  }

  rememberFutileStatus(uid: string, resourceVersion: string, status: object): void {
    remember(this.#futile, uid, futility(resourceVersion, status));
  }

  /** Whether this is something else than was told of the Machine last; it is remembered as told. */
  isToldFirst(uid: string, text: string): boolean {
    const isNew = this.#told.get(uid)?.text !== text;
    if (isNew) remember(this.#told, uid, { text, age: this.#clock.stopwatch() });
    return isNew;
  }

  readonly lastTold = (uid: string): string | undefined => this.#told.get(uid)?.text;

  /** Whether it is so long ago that its Event may have been forgotten; it counts as told now. */
  isToldLongAgo(uid: string): boolean {
    const told = this.#told.get(uid);
    if (told === undefined || told.age() < toldMilliseconds) return false;
    remember(this.#told, uid, { ...told, age: this.#clock.stopwatch() });
    return true;
  }

  /** What was told last has not been heard: the next time it is news again. */
  forgetTold(uid: string): void {
    this.#told.delete(uid);
  }

  /** What the last entry of the Machine's history says that this instance has made. */
  lastNoted(uid: string): string | undefined {
    return this.#noted.get(uid);
  }

  rememberNoted(uid: string, text: string): void {
    remember(this.#noted, uid, text);
  }

  /** What the provider has asked for about this Machine, if that is not over. */
  rest(uid: string, generation: number): Rest | undefined {
    const rest = this.#rests.get(uid);
    return rest?.generation === generation && rest.age() < rest.milliseconds ? rest : undefined;
  }

  rememberRest(uid: string, rest: Rest): void {
    remember(this.#rests, uid, rest);
  }

  /** A UID does not come back, unless a backup of the cluster does: whatever is still heard of this Machine is old. */
  rememberGone(uid: string): void {
    this.#machines.delete(uid);
    this.#pods.delete(uid);
    this.#futile.delete(uid);
    this.said.forget(uid);
    this.#told.delete(uid);
    this.looks.delete(uid);
    this.#noted.delete(uid);
    this.#rests.delete(uid);
    this.vainLooks.forget(uid);
    this.owedEvents.forget(uid);
    this.refusedStatuses.forget(uid);
    this.refusedWrites.forget(uid);
    remember(this.#gone, uid, this.#clock.stopwatch());
  }

  /** It was there in a read that began, `age` ago, after it was known to be gone: so it is not. */
  rememberBack(uid: string, age: Stopwatch): void {
    const gone = this.#gone.get(uid);
    if (gone !== undefined && age() < gone()) this.#gone.delete(uid);
  }

  isGone(uid: string): boolean {
    return this.#gone.has(uid);
  }

  /** What this instance knows of a Machine's Pods: it stands in for a store that does not answer. */
  pods(machineUid: string): PodRecord[] {
    return [...(this.#pods.get(machineUid)?.values() ?? [])];
  }

  rememberPods(machineUid: string, records: readonly PodRecord[]): void {
    const known = this.#pods.get(machineUid) ?? new Map<string, PodRecord>();
    for (const record of records) remember(known, record.podUid, record, maxPods);
    remember(this.#pods, machineUid, known);
  }
}

/** A time that the API does not store differs at each step: the same status with another time is as futile. */
const futility = (resourceVersion: string, status: object): string =>
  `${resourceVersion}|${timeless(status)}`;
