import type { WorkloadCluster } from '../../../shared/kubernetes/client.ts';

/** One who calls an API, whose calls go through one at a time, when they are let. */
export interface Caller {
  api: WorkloadCluster;
  /** Lets the next call through, if one waits, and what follows from its answer happen. */
  step: () => Promise<void>;
}

export function aCaller(api: WorkloadCluster): Caller {
  const waiting: (() => void)[] = [];
  const turn = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  return {
    api: {
      get: async (...call) => turn().then(() => api.get(...call)),
      list: async (...call) => turn().then(() => api.list(...call)),
      mergePatch: async (...call) => turn().then(() => api.mergePatch(...call)),
      jsonPatch: async (...call) => turn().then(() => api.jsonPatch(...call)),
      create: async (...call) => turn().then(() => api.create(...call)),
      delete: async (...call) => turn().then(() => api.delete(...call)),
      evict: async (...call) => turn().then(() => api.evict(...call)),
      evictAll: async (...call) => turn().then(() => api.evictAll(...call)),
      discover: async (...call) => turn().then(() => api.discover(...call)),
      watch: (...call) => api.watch(...call),
    },
    step: async () => {
      await settled();
      waiting.shift()?.();
      await settled();
    },
  };
}

/** Everything that needs no further answer has happened. */
async function settled(): Promise<void> {
  for (let tick = 0; tick < 30; tick += 1) await Promise.resolve();
}

/** All orders in which two callers can take so many turns. */
export const schedules = (turns: number): number[][] =>
  Array.from({ length: 2 ** turns }, (_, bits) =>
    Array.from({ length: turns }, (__, turn) => (bits >> turn) & 1),
  );
