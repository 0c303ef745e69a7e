import type { Actuator } from '../../../shared/actuator/port.ts';
import type { Kubernetes, WorkloadClusters } from '../../../shared/kubernetes/client.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('a plan writes nothing'));

/** The API without its writes: a plan that tried to change something would fail instead. */
export function lookingOnly(kubernetes: Kubernetes): Kubernetes {
  return {
    get: (resource, key) => kubernetes.get(resource, key),
    list: (resource, selection) => kubernetes.list(resource, selection),
    discover: (group, kind, version) => kubernetes.discover(group, kind, version),
    watch: () => () => undefined,
    mergePatch: refuse,
    jsonPatch: refuse,
    create: refuse,
    delete: refuse,
    evict: refuse,
  };
}

/** The same for the clusters that the Nodes are in. */
export const lookingOnlyThere = (workloads: WorkloadClusters): WorkloadClusters => ({
  async of(workload) {
    return { ...lookingOnly(await workloads.of(workload)), evictAll: refuse };
  },
});

/** A provider that only answers whether servers exist. */
export const askingOnly = (actuator: Actuator): Actuator => ({
  exists: (target) => actuator.exists(target),
  create: refuse,
  update: refuse,
  delete: refuse,
});
