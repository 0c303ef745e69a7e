import type { KubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { Flight } from '../../shared/runtime/http/app.ts';
import { serve, type Serving } from '../../shared/runtime/http/serve.ts';
import type { Log } from '../../shared/runtime/log.ts';
import type { Metrics } from '../../shared/runtime/metrics.ts';
import type { Tracing } from '../../shared/runtime/tracing.ts';
import { createUnderWay, type UnderWay } from '../../shared/runtime/under-way.ts';
import { chooseFunctions } from './choose-functions.ts';
import { dialectsOf } from './dialects.ts';
import { findCluster } from './find-cluster.ts';
import { openMetrics } from './metrics.ts';
import { type Functions, openFunctions } from './open-functions.ts';
import { type OpenStore, openStore } from './open-store.ts';
import type { Outside } from './outside.ts';
import { awaitAnswers, type Readiness } from './readiness.ts';
import { NoMachineApi, servedMachineApis } from './served-machine-apis.ts';
import { type OpenTracing, openTracing } from './tracing.ts';

export type ServerOptions = Pick<Outside, 'env' | 'clock' | 'random' | 'hostname'> & {
  config: Config;
  log: Log;
};

/** And where it is told what they do. */
type Observed = ServerOptions & { metrics: Metrics; tracing: Tracing };

/** The functions of this process, served over HTTP. */
export interface Server {
  url: string;
  /** What has begun and is not finished, for people to read; empty when all is done. */
  unfinished(): object | undefined;
  /** Takes no more requests, drops wake-ups, resolves when all that has begun is finished and told. */
  close(): Promise<void>;
}

/** Starts it; what it needs is asked for in the background. Throws ConfigInvalid; rejects when the port cannot be had. */
export async function startServer(given: ServerOptions): Promise<Server> {
  const { config, log, clock } = given;
  const { metrics, page: metricsPage } = openMetrics(clock);
  const traces = await openTracing(given);
  const options: Observed = { ...given, metrics, tracing: traces.tracing };
  const kubeConfig = findCluster(config, options.env);
  const opened = openStore(config, options);
  const functions = openAround(kubeConfig, opened, options);
  const chosen = chooseFunctions(functions.instance.handlers, config);
  if (config.sink === undefined)
    log.warn('K_SINK is not set: facts are not told, and no command but a reply');
  const inFlight = createUnderWay<Flight>();
  const readiness = awaitAnswers(
    [
      { name: 'the Kubernetes API', ask: () => askForMachineApis(functions, kubeConfig, options) },
      { name: 'the store', ask: () => opened.answer() },
    ],
    options,
  );
  const serving = await serve(chosen, {
    ...options,
    port: config.port,
    ...(config.listenAddress === undefined ? {} : { host: config.listenAddress }),
    requestTimeoutSeconds: config.requestTimeoutSeconds,
    bodyLimitBytes: config.bodyLimitBytes,
    inFlight,
    mostInFlight: config.requestsInFlight,
    waitsFor: () => readiness.waitsFor(),
    emit: functions.outbox.emit,
    metricsPage,
  });
  log.info('Serving', { port: serving.port, functions: Object.keys(chosen) });
  return serverOf({ serving, inFlight, readiness, functions, opened, traces });
}

function openAround(
  kubeConfig: KubeConfig,
  { store }: OpenStore,
  { env: _, hostname: name, ...options }: Observed,
): Functions {
  return openFunctions({ ...options, kubeConfig, store, name });
}

/** Which Machine APIs there are is also the first thing that anybody with a problem wants to know. */
async function askForMachineApis(
  { management }: Functions,
  kubeConfig: KubeConfig,
  { config, log }: ServerOptions,
): Promise<void> {
  try {
    const where = kubeConfig.getCurrentCluster()?.server ?? '';
    const served = await servedMachineApis(management, where, dialectsOf(config));
    log.info('Machine APIs are served', { served: served.map(({ apiVersion }) => apiVersion) });
  } catch (error) {
    if (!(error instanceof NoMachineApi)) throw error;
    // An answer as well, and one that may be another tomorrow.
    log.warn('No Machine API is served', { why: error.message });
  }
}

interface Parts {
  serving: Serving;
  inFlight: UnderWay<Flight>;
  readiness: Readiness;
  functions: Functions;
  opened: OpenStore;
  traces: OpenTracing;
}

function serverOf({ serving, inFlight, readiness, functions, opened, traces }: Parts): Server {
  return {
    url: serving.url,
    unfinished() {
      const requests = inFlight.all();
      const steps = functions.instance.steps().map(({ machine, phase }) => ({ machine, phase }));
      const facts = functions.outbox.pending();
      const isDone = requests.length === 0 && steps.length === 0 && facts === 0;
      return isDone ? undefined : { requests, steps, facts };
    },
    async close() {
      readiness.stop();
      // Both at once: a request in flight may be the last step of a Machine, or wait for one that a wake-up began.
      await Promise.all([serving.close(), functions.instance.close()]);
      await functions.close();
      opened.close();
      await traces.close();
    },
  };
}
