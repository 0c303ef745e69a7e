/** Counts how much is under way at the same moment. */
export class AtOnce {
  #now = 0;
  #most = 0;

  get most(): number {
    return this.#most;
  }

  async during<T>(run: () => Promise<T>): Promise<T> {
    this.#now += 1;
    this.#most = Math.max(this.#most, this.#now);
    return run().finally(() => (this.#now -= 1));
  }
}
