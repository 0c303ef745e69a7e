import type { Store } from '../store/port.ts';
import type { Memory } from '../cache/cache.ts';
import type { PodRecord } from '../drain/pod-record.ts';

/** What is known of a Machine's Pods: what the store remembered when it was first asked, and what was learnt since. */
export class KnownPods {
  readonly #store: Store;
  readonly #memory: Memory;
  readonly #machineUid: string;
  #stored: Promise<PodRecord[]> | undefined;

  constructor(store: Store, memory: Memory, machineUid: string) {
    this.#store = store;
    this.#memory = memory;
    this.#machineUid = machineUid;
  }

  /** By Pod UID; of two records of a Pod the later one. */
  async records(): Promise<ReadonlyMap<string, PodRecord>> {
    this.#stored ??= this.#store.podRecords(this.#machineUid);
    const known = [...(await this.#stored), ...this.#memory.pods(this.#machineUid)];
    const sorted = known.toSorted((a, b) => a.lastAttempt - b.lastAttempt);
    return new Map(sorted.map((record) => [record.podUid, record]));
  }

  learn(records: readonly PodRecord[]): void {
    this.#memory.rememberPods(this.#machineUid, records);
  }
}
