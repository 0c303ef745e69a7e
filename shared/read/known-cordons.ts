import type { Cache } from '../cache/cache.ts';

/** Somebody may uncordon a Node meanwhile: then it is looked at again. */
const ageMilliseconds = 60_000;

/** The Nodes that one Machine's drain knows to be cordoned since not long ago. */
export class KnownCordons {
  readonly #cache: Cache;
  readonly #owner: string;

  /** `owner` tells one workload cluster's Machine from all others. */
  constructor(cache: Cache, owner: string) {
    this.#cache = cache;
    this.#owner = owner;
  }

  /** The UID of the Node; undefined where it is not known to be cordoned. */
  uidOf(nodeName: string): Promise<string> | undefined {
    return this.#cache.cordons.known(this.#key(nodeName), ageMilliseconds);
  }

  remember(nodeName: string, uid: string): void {
    void this.#cache.cordons.get(this.#key(nodeName), 0, async () => uid);
  }

  #key(nodeName: string): string {
    return `cordon|${this.#owner}|${nodeName}`;
  }
}
