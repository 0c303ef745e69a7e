import type { Clock } from '../../../shared/time/clock.ts';
import type { Manifest } from '../../terminal/manifests.ts';
import { type ClusterName, sayCluster, type Workload } from '../given/clusters.ts';
import type { Given } from '../given/given-machine.ts';
import { givenNotes } from '../given/notes.ts';
import { type ApiServer, type ApiServerOptions, createApiServer } from '../kubernetes/server/api-server.ts';
import { listen } from '../kubernetes/server/http.ts';
import { installPolicies, readAdmissionPolicies } from '../load/admission-policies.ts';
import { kubeconfigFor } from '../load/kubeconfigs.ts';
import { type Loaded, load } from '../load/load.ts';
import { opened } from './opened.ts';

/** A running local API server with the objects that were loaded. */
export interface LocalApi extends Loaded {
  apiServer: ApiServer;
  url: string;
  /** The text of a kubeconfig that leads to it. */
  kubeconfig: string;
  /** Those of the clusters that have the Nodes, where these were given by themselves. */
  workloads: readonly WorkloadApi[];
  given: Given;
  close(): Promise<void>;
}

export interface LocalApiOptions {
  manifests: readonly Manifest[];
  /** By the Clusters that lead to them: of these no Node or Pod of `manifests` counts. */
  workloads?: readonly Workload[] | undefined;
  /** The Machines that the notes are about. */
  machines?: readonly ClusterName[] | undefined;
  /** Nothing plays a provider: finalizers stay as they were given. */
  isOnlyShown?: boolean;
  clock: Clock;
  random: () => number;
}

/**
 * An emulated Kubernetes API on 127.0.0.1 that holds the manifests, and one more for each workload cluster, without any
 * controller. Throws ManifestUnreadable.
 */
export const startLocalApi = (options: LocalApiOptions): Promise<LocalApi> =>
  opened((closing) => start(options, closing));

async function start(options: LocalApiOptions, closing: AsyncDisposableStack): Promise<LocalApi> {
  const { manifests, machines, isOnlyShown = false } = options;
  const policies = await readAdmissionPolicies();
  const workloads = await startWorkloadApis(options.workloads ?? [], options, closing);
  const { apiServer, url } = await served(options, closing);
  const elsewhere = new Map(workloads.map((one) => [sayCluster(one), one.url]));
  const loaded = load(apiServer, manifests, url, { elsewhere, isOnlyShown });
  installPolicies(apiServer, policies);
  const given = { management: manifests.map(({ object }) => object), workloads: options.workloads ?? [] };
  const notes = [
    ...loaded.notes,
    ...workloads.flatMap((one) => one.notes.map((note) => `Cluster ${sayCluster(one)}: ${note}`)),
    ...givenNotes(given, machines),
  ];
  const close = (): Promise<void> => closing.disposeAsync();
  return { ...loaded, notes, apiServer, url, kubeconfig: kubeconfigFor(url), workloads, given, close };
}

/** An emulated Kubernetes API of a workload cluster, by the Cluster that leads there. */
interface WorkloadApi extends Loaded, ClusterName {
  apiServer: ApiServer;
  url: string;
}

/** One API server for each. Throws ManifestUnreadable. */
async function startWorkloadApis(
  workloads: readonly Workload[],
  options: { clock: Clock; random: () => number },
  closing: AsyncDisposableStack,
): Promise<WorkloadApi[]> {
  const started: WorkloadApi[] = [];
  for (const { namespace, name, manifests } of workloads) {
    const { apiServer, url } = await served(options, closing);
    started.push({ namespace, name, apiServer, url, ...load(apiServer, manifests, url) });
  }
  return started;
}

async function served(options: ApiServerOptions, closing: AsyncDisposableStack) {
  const apiServer = createApiServer(options);
  const listening = await listen(apiServer);
  closing.defer(() => listening.close());
  return { apiServer, url: listening.url };
}
