/**
 * Shares reads between calls that arrive before the read begins. A call that finds a read under way waits for the next one,
 * so no call gets an answer older than its question.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #next = new Map<string, Promise<T>>();

  /** The answer of a read that begins after now. */
  async get(key: string, read: () => Promise<T>): Promise<T> {
    const waiting = this.#next.get(key);
    if (waiting !== undefined) return waiting;
    const running = this.#running.get(key);
    if (running === undefined) return this.#run(key, read);
    const begin = (): Promise<T> => this.#run(key, read);
    const next = running.then(begin, begin);
    this.#next.set(key, next);
    return next;
  }

  #run(key: string, read: () => Promise<T>): Promise<T> {
    this.#next.delete(key);
    // The next one begins after this, so none but this one can be under way by then.
    const reading = read().finally(() => this.#running.delete(key));
    this.#running.set(key, reading);
    return reading;
  }
}
