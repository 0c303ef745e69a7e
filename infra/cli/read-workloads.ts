import { type ClusterName, type GivenWorkload, type Workload, workloadsOf } from '../local/given/clusters.ts';
import { type Keep, type Manifest, readManifests } from '../terminal/manifests.ts';
import type { WorkloadPaths } from './workload-paths.ts';

/** The workload clusters whose objects are given. Throws ManifestUnreadable. */
export async function readWorkloads(
  workloads: readonly WorkloadPaths[] | undefined,
  management: readonly Manifest[],
  machines: readonly ClusterName[] | undefined,
  keep?: Keep,
): Promise<Workload[]> {
  const given: GivenWorkload[] = [];
  for (const { cluster, paths } of workloads ?? [])
    given.push({ cluster, manifests: await readManifests(paths, keep) });
  return workloadsOf(management, given, machines);
}
