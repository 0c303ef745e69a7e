import type { Actuator } from '../../../shared/actuator/port.ts';
import {
  type Kubernetes,
  type WorkloadClusters,
  type WorkloadRef,
  workloadName,
} from '../../../shared/kubernetes/client.ts';
import type { UnreadNotes } from './unread-notes.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('a look writes nothing'));

/** The API without its writes: a look that tried to change something would fail instead. */
export const lookingOnly = (kubernetes: Kubernetes): Kubernetes => ({
  get: (resource, key) => kubernetes.get(resource, key),
  list: (resource, selection, hold) => kubernetes.list(resource, selection, hold),
  discover: (group, kind, version) => kubernetes.discover(group, kind, version),
  watch: (...watched) => kubernetes.watch(...watched),
  mergePatch: refuse,
  jsonPatch: refuse,
  create: refuse,
  delete: refuse,
  evict: refuse,
});

/** The same for the clusters that the Nodes are in. What cannot be read there is noted with the cluster's name. */
export const lookingOnlyThere = (workloads: WorkloadClusters, notes: UnreadNotes): WorkloadClusters => ({
  async of(workload) {
    const where = placeOf(workload);
    const cluster = await notes.noting(() => workloads.of(workload), `the API of ${where}`);
    return { ...notes.notingReads(lookingOnly(cluster), where), evictAll: refuse };
  },
});

const placeOf = (workload: WorkloadRef): string =>
  workload.kind === 'here' ? '' : `the workload cluster ${workloadName(workload)}`;

/** A provider that only answers whether servers exist. */
export const askingOnly = (actuator: Actuator): Actuator => ({
  exists: (target) => actuator.exists(target),
  create: refuse,
  update: refuse,
  delete: refuse,
});
