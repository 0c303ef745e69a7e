import type { ClusterName } from '../local/given/clusters.ts';

/** Where the objects of a workload cluster are. */
export interface WorkloadPaths {
  /** The Cluster that leads there; undefined where there is only one. */
  cluster?: ClusterName;
  paths: string[];
}

const named = /^(?<namespace>[a-z0-9][-a-z0-9]*)\/(?<name>[a-z0-9][-.a-z0-9]*)=(?<path>.+)$/;

/** `[NAMESPACE/CLUSTER=]PATH…`: paths go with the Cluster that was named last. */
export function parseWorkloadPaths(values: readonly string[]): WorkloadPaths[] {
  const found: WorkloadPaths[] = [];
  for (const value of values) {
    const { namespace, name, path } = named.exec(value)?.groups ?? {};
    const last = found.at(-1);
    if (namespace !== undefined && name !== undefined && path !== undefined)
      found.push({ cluster: { namespace, name }, paths: [path] });
    else if (last === undefined) found.push({ paths: [value] });
    else last.paths.push(value);
  }
  return found;
}
