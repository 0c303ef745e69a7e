import type { Cache } from '../cache/cache.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type { Store } from '../store/port.ts';

/** What is known of a Machine's Pods: what the store remembered when it was first asked, and what was learnt since. */
export class KnownPods {
  readonly #store: Store;
  readonly #cache: Cache;
  readonly #machineUid: string;
  #stored: Promise<PodRecord[]> | undefined;

  constructor(store: Store, cache: Cache, machineUid: string) {
    this.#store = store;
    this.#cache = cache;
    this.#machineUid = machineUid;
  }

  /** By Pod UID; of two records of a Pod the later one. */
  async records(): Promise<ReadonlyMap<string, PodRecord>> {
    this.#stored ??= this.#store.podRecords(this.#machineUid);
    const known = [...(await this.#stored), ...this.#cache.pods(this.#machineUid)];
    const sorted = known.toSorted((a, b) => a.lastAttempt - b.lastAttempt);
    return new Map(sorted.map((record) => [record.podUid, record]));
  }

  learn(records: readonly PodRecord[]): void {
    this.#cache.rememberPods(this.#machineUid, records);
  }
}
