import { type ClusterName, type Workload, workloadsOf } from '../local/given/clusters.ts';
import { type Manifest, readManifests } from '../terminal/manifests.ts';
import type { WorkloadPaths } from './workload-paths.ts';

/** The workload clusters whose objects are given. Throws ManifestUnreadable. */
export async function readWorkloads(
  workloads: readonly WorkloadPaths[] | undefined,
  management: readonly Manifest[],
  machines: readonly ClusterName[] | undefined,
): Promise<Workload[]> {
  const given = await Promise.all(
    (workloads ?? []).map(async ({ cluster, paths }) => ({ cluster, manifests: await readManifests(paths) })),
  );
  return workloadsOf(management, given, machines);
}
