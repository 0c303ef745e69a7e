import type { Actuator } from '../../shared/actuator/port.ts';
import {
  type ConnectOptions,
  connect,
  patientTimeoutSeconds,
} from '../../shared/adapters/kubernetes/connect.ts';
import type { KubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { RequestReport } from '../../shared/adapters/kubernetes/request.ts';
import { createWorkloadClusters } from '../../shared/adapters/workload-clusters/workload-clusters.ts';
import type { Post } from '../../shared/http/outbox/deliver.ts';
import { createOutbox, type Outbox } from '../../shared/http/outbox/outbox.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { noMetrics } from '../../shared/runtime/metrics.ts';
import { noTracing } from '../../shared/runtime/tracing.ts';
import { measureLimit } from '../../shared/turns/load-limit.ts';
import { actuatorOf } from './actuator.ts';
import { createInstance, type Instance, type InstanceOptions } from './instance.ts';
import { observedProvider } from './metrics/provider.ts';
import { observeApiRequest } from './metrics/requests.ts';
import { ownNodeOf } from './own-node.ts';

export interface FunctionsOptions
  extends Omit<InstanceOptions, 'management' | 'workloads' | 'actuator' | 'outbox'> {
  /** Leads to the API server that has the Machines. */
  kubeConfig: KubeConfig;
  /** Asked for servers instead of the provider that the configuration names. */
  actuator?: Actuator;
  /** Every request to an API server. */
  onRequest?: ConnectOptions['onRequest'];
  /** Takes events to the sink; over HTTP unless given. */
  post?: Post;
  /** Stands between the functions and the outbox. */
  through?: (outbox: Outbox) => Outbox;
}

/** An instance of the functions and its connections. */
export interface Functions {
  instance: Instance;
  outbox: Outbox;
  management: Kubernetes;
  /** Drops wake-ups, finishes started steps, sends what is left, then closes the connections. */
  close(): Promise<void>;
}

/** The functions with all their adapters except the store. Opens no connection. Throws ConfigInvalid. */
export function openFunctions(options: FunctionsOptions): Functions {
  const { kubeConfig, clock, random, log, config, through = (outbox) => outbox } = options;
  const { metrics = noMetrics, tracing = noTracing, post } = options;
  const observing = (cluster: 'management' | 'workload') => ({
    onRequest: observer({ ...options, metrics, tracing }, cluster),
  });
  const management = connect(kubeConfig, {
    clock,
    requestTimeoutSeconds: patientTimeoutSeconds,
    onLoad: (standing) => measureLimit(metrics, 'apiRequestsAtOnce', standing),
    ...observing('management'),
  });
  const workloads = createWorkloadClusters(management, {
    clock,
    connection: observing('workload'),
    evictions: evictionLimits(config),
  });
  const { sink, sinkAuthorities } = config;
  const outbox = through(
    createOutbox({ sink, sinkAuthorities, clock, random, log, metrics, ...(post && { post }) }),
  );
  const provider = options.actuator ?? actuatorOf(config, management, clock);
  const instance = createInstance({
    ...options,
    management,
    workloads,
    actuator: observedProvider(provider, { metrics, tracing, clock }),
    metrics,
    tracing,
    config: placed(options),
    outbox,
  });
  return {
    instance,
    outbox,
    management,
    async close() {
      await instance.close();
      await outbox.flush();
      await workloads.close();
      await management.close();
    },
  };
}

/** With the Node that the instance runs on, which the Pod's token may know where the configuration does not. */
const placed = ({ config, kubeConfig, isOutside = false }: FunctionsOptions): Config =>
  isOutside ? config : { ...config, ownNode: ownNodeOf(config, kubeConfig) };

/** Counts and traces every request to an API server, and logs a forbidden one. */
function observer(
  options: FunctionsOptions & Required<Pick<FunctionsOptions, 'metrics' | 'tracing'>>,
  cluster: 'management' | 'workload',
): (report: RequestReport) => void {
  const { log, metrics, tracing, onRequest } = options;
  return (report) => {
    onRequest?.(report);
    observeApiRequest({ metrics, tracing }, cluster, report);
    logForbidden(log, cluster, report);
  };
}

/** How fast Pods of one workload cluster may be evicted. */
export const evictionLimits = (config: Config) => ({
  perSecond: config.evictionsPerSecond,
  burst: config.evictionBurst,
  inFlight: config.evictionsInFlight,
});

/**
 * Logs each missing permission once. Without a watch nothing fails, but each wait ends later. `cluster` is
 * the side that serverless.yml grants it on.
 */
export function logForbidden(
  log: Pick<InstanceLog, 'once'>,
  cluster: 'management' | 'workload',
  { verb, resource, code }: RequestReport,
): void {
  if (code !== 403) return;
  log
    .once(`forbidden: ${cluster} ${verb} ${resource}`)
    .warn('Request was forbidden', { cluster, verb, resource });
}
