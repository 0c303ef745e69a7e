import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { type InstanceLog, silent } from '../../../shared/runtime/log.ts';
import type { Manifest } from '../../terminal/manifests.ts';
import { type LocalApi, startLocalApi } from '../apis/local-api.ts';
import { opened } from '../apis/opened.ts';
import { type ControllerOptions, startControllers } from '../controllers/index.ts';
import { readExample } from '../examples/read-example.ts';
import type { ClusterName, Workload } from '../given/clusters.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';
import { RequestTally } from '../kubernetes/server/request-counts.ts';
import { openLocalProvider } from '../provider/local-provider.ts';
import { bringUp } from './bring-up.ts';
import { makeHookKey } from './hook-key.ts';
import { type Host, type HostOptions, startHost } from './host.ts';

/** What a local cluster is made of. */
export interface PlatformOptions extends Omit<HostOptions, 'kubeConfig' | 'log' | 'actuator'> {
  /** What the API server holds at the start; the example fleet by default. */
  manifests?: readonly Manifest[];
  /** What the clusters of the Nodes hold, where they are others. */
  workloads?: readonly Workload[] | undefined;
  /** The Machines that the notes are about. */
  machines?: readonly ClusterName[] | undefined;
  /** Silent by default. */
  log?: InstanceLog;
  /** How the local controllers behave. */
  controllers?: ControllerOptions;
}

/** A whole cluster in this process: API server, controllers, eventing, store and the functions. */
export interface Platform extends Host {
  apiServer: ApiServer;
  /** Of the API server. */
  url: string;
  /** The text of a kubeconfig that leads to it. */
  kubeconfig: string;
  /** What was done to the manifests, for people to read. */
  notes: string[];
}

/**
 * Starts it all on 127.0.0.1, with all Pods of the manifests running. The provider that the environment names is asked
 * for servers, or a local one. Throws ManifestUnreadable, ConfigInvalid.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { clock, random, workloads, machines } = options;
  const manifests = options.manifests ?? (await readExample('capi'));
  return opened(async (closing) => {
    const api = await startLocalApi({ manifests, workloads, machines, clock, random });
    closing.defer(() => api.close());
    const host = await startAround(api, options, closing);
    const { apiServer, url, kubeconfig, notes } = api;
    return { ...host, apiServer, url, kubeconfig, notes, close: () => closing.disposeAsync() };
  });
}

/** Everything but the API server, each part before what makes use of it. */
async function startAround(
  api: LocalApi,
  { log = silent, controllers, ...options }: PlatformOptions,
  closing: AsyncDisposableStack,
): Promise<Host> {
  const { clock, tally = new RequestTally() } = options;
  const provider = await openLocalProvider(api, { ...options, log, tally });
  closing.defer(() => provider.close());
  const { cloud, actuator } = provider;
  await bringUp(api, clock, cloud);
  for (const workload of api.workloads) await bringUp(workload, clock);
  const { apiServer, unknownOwners } = api;
  const report = (error: unknown, about: string): void =>
    log.warn('Local controller failed', { about, error });
  const local = { report, ...controllers, unknownOwners, cloud };
  closing.defer(startControllers(apiServer.cluster, clock, local));
  for (const workload of api.workloads) {
    const there = { report, ...controllers, unknownOwners: workload.unknownOwners };
    closing.defer(startControllers(workload.apiServer.cluster, clock, there));
  }
  const kubeConfig = loadKubeConfig({ text: api.kubeconfig });
  const env = { ...makeHookKey(apiServer), ...options.env, ...provider.env };
  const given = actuator === undefined ? {} : { actuator };
  const host = await startHost({ ...options, ...given, kubeConfig, log, env, tally });
  closing.defer(() => host.close());
  return host;
}
