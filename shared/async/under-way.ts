/** What has begun and is not over. */
export interface UnderWay<T> {
  /** Counts `what` in until `run` is over, however it ends. */
  during<R>(what: T, run: () => Promise<R>): Promise<R>;
  /** The oldest first. */
  all(): T[];
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** Counts work that is in flight, and lets a caller wait until none is. */
export function createUnderWay<T>(): UnderWay<T> {
  const runs = new Map<object, { what: T; over: Promise<unknown> }>();
  return {
    during(what, run) {
      const key = {};
      const running = run();
      const leave = (): void => void runs.delete(key);
      runs.set(key, { what, over: running.then(leave, leave) });
      return running;
    },
    all: () => [...runs.values()].map(({ what }) => what),
    async idle() {
      while (runs.size > 0) await Promise.all([...runs.values()].map(({ over }) => over));
    },
  };
}

/**
 * One step at a time per Machine within an instance. A call that arrives while a step runs waits. Later calls join the
 * waiting one: one more step serves them all.
 */
export class KeyedQueue {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Promise<unknown>>();

  /**
   * `join` names requests that may be served by the same run. A request that joins another's run gets undefined: a
   * result is reported once.
   */
  run<T>(uid: string, join: string, run: () => Promise<T>): Promise<T | undefined> {
    const queue = `${uid}|${join}`;
    const joined = this.#waiting.get(queue);
    if (joined !== undefined) return joined.then(() => undefined);
    const running = this.#running.get(uid);
    const turn = this.#begin(queue, running, run);
    if (running !== undefined) this.#waiting.set(queue, turn);
    this.#running.set(uid, turn);
    const leave = (): void => {
      if (this.#running.get(uid) === turn) this.#running.delete(uid);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** Resolves when no step of any Machine is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  /** Resolves when no step of the Machine is running. */
  async settled(uid: string): Promise<void> {
    await this.#running.get(uid)?.catch(() => undefined);
  }

  async #begin<T>(queue: string, previous: Promise<unknown> | undefined, run: () => Promise<T>): Promise<T> {
    if (previous !== undefined) await previous.catch(() => undefined);
    this.#waiting.delete(queue);
    return run();
  }
}
