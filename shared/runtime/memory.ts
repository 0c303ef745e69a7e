import type { Clock, Instant } from '../clock.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { ObjectList } from '../kubernetes/port.ts';
import type { PodRecord } from '../store/port.ts';
import { remember } from './bounded.ts';
import { InStep } from './in-step.ts';
import { NextRead } from './next-read.ts';
import { Recent } from './recent.ts';

/** For so long another instance's word is let stand. */
const justMilliseconds = 10_000;

/** That a provider wants to be left alone about a Machine, as it is, from then on for a while. */
export interface Rest {
  since: Instant;
  until: Instant;
  /** Of the Machine: a changed one is another question. */
  generation: number;
  message: string;
}

/**
 * What an instance has just seen. It saves requests and is never law: everything in it may be lost at any moment,
 * and nothing destructive rests on it without a precondition that the API server tests.
 */
export class Memory {
  readonly objects: Recent<KubeObject | undefined>;
  readonly lists: Recent<ObjectList>;
  readonly nextLists = new NextRead<ObjectList>();
  readonly inStep: InStep;
  /** UIDs of Nodes known to be cordoned. */
  readonly cordons: Recent<string>;
  readonly #clock: Clock;
  readonly #pods = new Map<string, Map<string, PodRecord>>();
  readonly #futile = new Map<string, string>();
  readonly #said = new Map<string, { status: string; at: Instant }>();
  readonly #told = new Map<string, string>();
  readonly #rests = new Map<string, Rest>();
  readonly #gone = new Map<string, Instant>();
  readonly #machines = new Map<string, { raw: KubeObject; at: Instant }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.objects = new Recent(clock);
    this.lists = new Recent(clock);
    this.cordons = new Recent(clock);
    this.inStep = new InStep(clock);
  }

  /** The Machine as last read or as a write of ours was answered, and when that was. */
  machine(uid: string): { raw: KubeObject; at: Instant } | undefined {
    return this.#machines.get(uid);
  }

  /**
   * `at`: when its read began, since it may have changed by the time of the answer. What was seen later, a write of
   * ours for one, stays.
   */
  rememberMachine(raw: KubeObject, at: Instant = this.#clock.now()): void {
    const { uid } = raw.metadata;
    if (uid === undefined) return;
    const known = this.#machines.get(uid);
    // A time to come is that of a clock which was set back since.
    if (known !== undefined && known.at > at && known.at <= this.#clock.now()) return;
    remember(this.#machines, uid, { raw, at });
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

  /** Whether this status was the last that was written for the Machine, a moment ago. */
  hasJustSaid(uid: string, status: object): boolean {
    const said = this.#said.get(uid);
    if (said === undefined) return false;
    const since = this.#clock.now() - said.at;
    return since >= 0 && since < justMilliseconds && said.status === timeless(status);
  }

  rememberSaid(uid: string, status: object): void {
    remember(this.#said, uid, { status: timeless(status), at: this.#clock.now() });
  }

  /** Whether this is something else than was told of the Machine last; it is remembered as told. */
  isToldFirst(uid: string, text: string): boolean {
    const isNew = this.#told.get(uid) !== text;
    remember(this.#told, uid, text);
    return isNew;
  }

  /** What was told last has not been heard: the next time it is news again. */
  forgetTold(uid: string): void {
    this.#told.delete(uid);
  }

  /** What the provider has asked for about this Machine, if that is not over. */
  rest(uid: string, generation: number): Rest | undefined {
    const rest = this.#rests.get(uid);
    const now = this.#clock.now();
    if (rest === undefined || rest.generation !== generation) return undefined;
    return rest.since <= now && now < rest.until ? rest : undefined;
  }

  rememberRest(uid: string, rest: Rest): void {
    remember(this.#rests, uid, rest);
  }

  /** A UID does not come back, unless a backup of the cluster does: whatever is still heard of this Machine is old. */
  rememberGone(uid: string): void {
    this.#machines.delete(uid);
    this.#pods.delete(uid);
    this.#futile.delete(uid);
    this.#said.delete(uid);
    this.#told.delete(uid);
    this.#rests.delete(uid);
    remember(this.#gone, uid, this.#clock.now());
  }

  /** It was there in a read that began after it was known to be gone: so it is not. */
  rememberBack(uid: string, readAt: Instant): void {
    const since = this.#gone.get(uid);
    if (since === undefined) return;
    // A time to come is that of a clock which was set back since.
    if (readAt > since || since > this.#clock.now()) this.#gone.delete(uid);
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
    for (const record of records) known.set(record.podUid, record);
    remember(this.#pods, machineUid, known);
  }
}

/** A time that nobody keeps is another one at each look: the same status with another time is as futile. */
const futility = (resourceVersion: string, status: object): string =>
  `${resourceVersion}|${timeless(status)}`;

const timeless = (status: object): string =>
  JSON.stringify(status).replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, 'time');
