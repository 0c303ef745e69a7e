import { createUnderWay, type UnderWay } from '../../shared/async/under-way.ts';
import type { Flight } from '../../shared/http/app.ts';
import type { Handler } from '../../shared/http/function.ts';
import { type ServeOptions, type Serving, serve } from '../../shared/http/serve.ts';
import { type Config, ConfigInvalid } from '../../shared/runtime/config.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import type { Metrics } from '../../shared/runtime/metrics.ts';
import { findCluster } from './find-cluster.ts';
import { openMetrics } from './metrics/metrics.ts';
import { type Functions, openFunctions } from './open-functions.ts';
import { type OpenStore, openStore } from './open-store.ts';
import type { Outside } from './outside.ts';
import { awaitAnswers, needsOf, type Readiness } from './readiness.ts';
import { type OpenTracing, openTracing } from './tracing/tracing.ts';

type ServerOptions = Pick<Outside, 'env' | 'clock' | 'random' | 'hostname'> & {
  config: Config;
  log: InstanceLog;
};

/** The functions of this process, served over HTTP. */
export interface Server {
  url: string;
  /** What has begun and is not finished, for people to read; undefined when all is done. */
  unfinished(): object | undefined;
  /** Takes no more requests, drops wake-ups, resolves when all that has begun is finished and told. */
  close(): Promise<void>;
}

interface Parts {
  functions: Functions;
  opened: OpenStore;
  traces: OpenTracing;
  inFlight: UnderWay<Flight>;
  readiness: Readiness;
}

/** Starts the server and checks what it needs in the background. Throws ConfigInvalid; rejects when the port cannot be had. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { config, log, clock } = options;
  const measured = openMetrics(clock);
  const parts = await openParts(options, measured.metrics);
  try {
    const chosen = chooseFunctions(parts.functions.instance.handlers, config);
    const { metrics } = measured;
    const metricsPage = () => measured.page();
    const serving = await serve(chosen, { ...serveOptions(parts, options), metrics, metricsPage });
    log.info('Serving', { port: serving.port, functions: Object.keys(chosen) });
    return serverOf(serving, parts);
  } catch (error) {
    await closed(parts);
    throw error;
  }
}

async function openParts(options: ServerOptions, metrics: Metrics): Promise<Parts> {
  const { config, log, hostname: name } = options;
  const kubeConfig = findCluster(config, options.env);
  const traces = await openTracing(options);
  const observed = { ...options, metrics, tracing: traces.tracing };
  const opened = openStore(config, observed);
  const functions = openFunctions({ ...observed, kubeConfig, store: opened.store, name });
  if (config.sink === undefined)
    log.warn('K_SINK is not set: no facts are sent, and commands only as replies');
  const { management } = functions;
  const readiness = awaitAnswers(needsOf({ ...options, management, opened }), options);
  return { functions, opened, traces, inFlight: createUnderWay(), readiness };
}

const serveOptions = (
  { functions, traces, inFlight, readiness }: Parts,
  { config, clock, log }: ServerOptions,
): ServeOptions => ({
  clock,
  log,
  tracing: traces.tracing,
  port: config.port,
  ...(config.listenAddress === undefined ? {} : { host: config.listenAddress }),
  requestTimeoutSeconds: config.requestTimeoutSeconds,
  bodyLimitBytes: config.bodyLimitBytes,
  inFlight,
  maxInFlight: config.requestsInFlight,
  waitsFor: () => readiness.waitsFor(),
  emit: (event, signal) => functions.outbox.emit(event, signal),
});

function serverOf(serving: Serving, parts: Parts): Server {
  const { functions, inFlight } = parts;
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
      // Both at once. A request in flight may be the last step of a Machine, or wait for the step of a wake-up.
      await Promise.all([serving.close(), functions.instance.close()]);
      await closed(parts);
    },
  };
}

async function closed({ functions, opened, traces, readiness }: Parts): Promise<void> {
  readiness.stop();
  await functions.close();
  opened.close();
  await traces.close();
}

/** The functions that this process serves, by their paths: those that are asked for by name, or all. Throws ConfigInvalid. */
function chooseFunctions(
  handlers: Readonly<Record<string, Handler>>,
  { functions }: Pick<Config, 'functions'>,
): Record<string, Handler> {
  const known = Object.keys(handlers);
  const unknown = functions.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new ConfigInvalid([`PHASEOUT_FUNCTIONS names ${names}; there are ${known.join(', ')}`]);
  }
  const chosen = Object.entries(handlers).filter(
    ([name]) => functions.length === 0 || functions.includes(name),
  );
  return Object.fromEntries(chosen.map(([name, handler]) => [`/${name}`, handler]));
}
