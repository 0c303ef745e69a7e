import {
  type WorkloadCluster,
  type WorkloadClusters,
  workloadName,
} from '../../../../shared/kubernetes/client.ts';
import { overLists } from './over-lists.ts';

/**
 * The clusters of the Nodes over lists. Only those of the last cluster are kept: a fleet has more than a process has room
 * for. A cluster that could not be reached is not tried for its next Machine.
 */
export function oneAtATime(workloads: WorkloadClusters): WorkloadClusters {
  let last: { name: string; cluster: Promise<WorkloadCluster> } | undefined;
  return {
    async of(workload) {
      // That is the cluster of the Machines, and over its lists.
      if (workload.kind === 'here') return workloads.of(workload);
      const name = workloadName(workload);
      if (last?.name !== name) last = { name, cluster: listing(workloads.of(workload)) };
      return last.cluster;
    },
  };
}

async function listing(opening: Promise<WorkloadCluster>): Promise<WorkloadCluster> {
  const cluster = await opening;
  return { ...overLists(cluster), evictAll: (evictions) => cluster.evictAll(evictions) };
}
