import type { Kubernetes, WorkloadClusters } from '../../kubernetes/port.ts';
import {
  createWorkloadCluster,
  type WorkloadClusterAccess,
  type WorkloadClustersOptions,
} from './workload-cluster.ts';

export interface ConnectedWorkloadClusters extends WorkloadClusters {
  close(): Promise<void>;
}

/** Whole fleets come and go: a cluster nobody asked for in this time is let go of. */
const unusedMilliseconds = 60 * 60_000;

/** Connections to workload clusters, one for each, made when first asked for. */
export function createWorkloadClusters(
  management: Pick<Kubernetes, 'get'>,
  options: WorkloadClustersOptions,
): ConnectedWorkloadClusters {
  const { clock } = options;
  const known = new Map<string, { access: WorkloadClusterAccess; usedAt: number }>();

  function closeUnused(): void {
    for (const [key, { access, usedAt }] of known) {
      if (clock.now() - usedAt < unusedMilliseconds) continue;
      known.delete(key);
      void access.close();
    }
  }

  return {
    async of(namespace, clusterName) {
      const key = `${namespace}/${clusterName}`;
      const found = known.get(key);
      if (found === undefined) closeUnused();
      const access = found?.access ?? createWorkloadCluster(management, { namespace, clusterName }, options);
      known.set(key, { access, usedAt: clock.now() });
      return access.api();
    },
    async close() {
      const all = [...known.values()];
      known.clear();
      await Promise.all(all.map(({ access }) => access.close()));
    },
  };
}
