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
