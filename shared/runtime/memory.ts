import type { Clock, Instant } from '../clock.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { PodRecord } from '../store/port.ts';

interface Remembered {
  value: Promise<unknown>;
  at: Instant;
}

const mostEntries = 5_000;

/**
 * What an instance has just seen. It saves requests and is never law: everything in it may be lost at any moment,
 * and nothing destructive rests on it without a precondition that the API server tests.
 */
export class Memory {
  readonly #clock: Clock;
  readonly #reads = new Map<string, Remembered>();
  readonly #pods = new Map<string, Map<string, PodRecord>>();
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<unknown>>();
  readonly #futile = new Map<string, string>();
  readonly #gone = new Map<string, true>();
  readonly #machines = new Map<string, { raw: KubeObject; at: Instant }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The answer of a read begun at most `maxAgeMilliseconds` ago, shared by all who ask, or a new one. A failed
   * read is not remembered.
   */
  recent<T>(key: string, maxAgeMilliseconds: number, read: () => Promise<T>): Promise<T> {
    const known = this.#reads.get(key);
    if (known !== undefined && this.#clock.now() - known.at <= maxAgeMilliseconds)
      return known.value as Promise<T>;
    const value = read();
    const entry: Remembered = { value, at: this.#clock.now() };
    remember(this.#reads, key, entry);
    value.catch(() => {
      if (this.#reads.get(key) === entry) this.#reads.delete(key);
    });
    return value;
  }

  /**
   * A read begun after now, shared by all who ask before it begins: whoever finds one under way waits for the next,
   * so that nobody is given what was there before they asked.
   */
  async next<T>(key: string, read: () => Promise<T>): Promise<T> {
    const waiting = this.#next.get(key);
    if (waiting !== undefined) return waiting as Promise<T>;
    const running = this.#running.get(key);
    if (running === undefined) return this.#run(key, read);
    const next = running.then(
      () => this.#run(key, read),
      () => this.#run(key, read),
    );
    this.#next.set(key, next);
    return next;
  }

  #run<T>(key: string, read: () => Promise<T>): Promise<T> {
    this.#next.delete(key);
    const reading = read().finally(() => {
      if (this.#running.get(key) === reading) this.#running.delete(key);
    });
    this.#running.set(key, reading);
    return reading;
  }

  isFresh(key: string, maxAgeMilliseconds: number): boolean {
    const known = this.#reads.get(key);
    return known !== undefined && this.#clock.now() - known.at <= maxAgeMilliseconds;
  }

  forget(key: string): void {
    this.#reads.delete(key);
  }

  /** The Machine as last read or as a write of ours was answered, and when that was. */
  machine(uid: string): { raw: KubeObject; at: Instant } | undefined {
    return this.#machines.get(uid);
  }

  rememberMachine(raw: KubeObject): void {
    if (raw.metadata.uid === undefined) return;
    remember(this.#machines, raw.metadata.uid, { raw, at: this.#clock.now() });
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

  /** A UID never comes back: whatever is still heard of this Machine is old. */
  rememberGone(uid: string): void {
    this.#machines.delete(uid);
    this.#pods.delete(uid);
    this.#futile.delete(uid);
    remember(this.#gone, uid, true);
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

const futility = (resourceVersion: string, status: object): string =>
  `${resourceVersion}|${JSON.stringify(status)}`;

/** A map in order of use, oldest first, so that what has not been used for longest is dropped. */
function remember<T>(entries: Map<string, T>, key: string, value: T): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= mostEntries) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
