export interface InFlight {
  /** Counts the work until it settles, and hands it back. */
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves once nothing is counted any more. */
  idle(): Promise<void>;
}

export function createInFlight(): InFlight {
  let count = 0;
  let waiting: (() => void)[] = [];

  function settled(): void {
    count--;
    if (count > 0) return;
    for (const resume of waiting) resume();
    waiting = [];
  }

  return {
    async track(work) {
      count++;
      try {
        return await work;
      } finally {
        settled();
      }
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
