import type { Clock } from '../../../shared/time/clock.ts';
import type { ClusterName, Workload } from '../given/clusters.ts';
import { type ApiServer, createApiServer } from '../kubernetes/server/api-server.ts';
import { listen } from '../kubernetes/server/http.ts';
import { type Loaded, load } from '../load/load.ts';

/** An emulated Kubernetes API of a workload cluster, by the Cluster that leads there. */
export interface WorkloadApi extends Loaded, ClusterName {
  apiServer: ApiServer;
  url: string;
}

/** One API server for each. Throws ManifestUnreadable. */
export async function startWorkloadApis(
  workloads: readonly Workload[],
  options: { clock: Clock; random: () => number },
  closing: AsyncDisposableStack,
): Promise<WorkloadApi[]> {
  const started: WorkloadApi[] = [];
  for (const { namespace, name, manifests } of workloads) {
    const apiServer = createApiServer(options);
    const listening = await listen(apiServer);
    closing.defer(() => listening.close());
    const { url } = listening;
    started.push({ namespace, name, apiServer, url, ...load(apiServer, manifests, url) });
  }
  return started;
}
