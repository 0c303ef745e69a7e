const maxEntries = 5_000;

/** Keeps its entries in order of use, oldest first, and drops the one that has not been set for longest. */
export class LruMap<T> {
  readonly #most: number;
  readonly #entries = new Map<string, T>();

  constructor(most = maxEntries) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** The oldest come first. */
  entries(): IterableIterator<[string, T]> {
    return this.#entries.entries();
  }

  values(): T[] {
    return [...this.#entries.values()];
  }
}
