import { type Kubernetes, type WorkloadClusters, workloadName } from '../../kubernetes/client.ts';
import type { Stopwatch } from '../../time/clock.ts';
import { createEvictionLimit } from './eviction-limit.ts';
import {
  createWorkloadCluster,
  type WorkloadClusterAccess,
  type WorkloadClustersOptions,
  withLimit,
} from './workload-cluster.ts';

export interface ConnectedWorkloadClusters extends WorkloadClusters {
  close(): Promise<void>;
}

/** Fleets come and go: drop a cluster that was not asked for in this time. */
const unusedMilliseconds = 60 * 60_000;

/** Connections to workload clusters, one for each, made when first asked for. */
export function createWorkloadClusters(
  management: Kubernetes,
  options: WorkloadClustersOptions,
): ConnectedWorkloadClusters {
  const { clock } = options;
  const here = withLimit(management, createEvictionLimit({ ...options.evictions, clock }));
  const known = new Map<string, { access: WorkloadClusterAccess; idle: Stopwatch }>();

  function closeUnused(): void {
    for (const [key, { access, idle }] of known) {
      if (idle() < unusedMilliseconds) continue;
      known.delete(key);
      void access.close();
    }
  }

  return {
    async of(workload) {
      if (workload.kind === 'here') return here;
      const key = workloadName(workload);
      const found = known.get(key);
      if (found === undefined) closeUnused();
      const access = found?.access ?? createWorkloadCluster(management, workload, options);
      known.set(key, { access, idle: clock.stopwatch() });
      return access.api();
    },
    async close() {
      const all = [...known.values()];
      known.clear();
      await Promise.all(all.map(({ access }) => access.close()));
    },
  };
}
