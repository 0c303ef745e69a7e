import type { Actuator } from '../../../shared/actuator/port.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import type { KubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { Handler } from '../../../shared/http/function.ts';
import { serve } from '../../../shared/http/serve.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { type Config, readConfig } from '../../../shared/runtime/config.ts';
import { dialectsFor } from '../../../shared/runtime/dialects-for.ts';
import type { InstanceLog } from '../../../shared/runtime/log.ts';
import type { Store } from '../../../shared/store/port.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { type MachineApi, servedMachineApis } from '../../host/served-machine-apis.ts';
import type { ServerlessFile } from '../../serverless/model.ts';
import { opened } from '../apis/opened.ts';
import type { DeadLetter } from '../eventing/delivery.ts';
import type { CloudEvent } from '../eventing/event.ts';
import type { HookFunction } from '../eventing/hook-trigger.ts';
import { type EventingOptions, openEventing } from '../eventing/open-eventing.ts';
import { outboxPost } from '../eventing/within-process.ts';
import { type RequestCount, RequestTally } from '../kubernetes/server/request-counts.ts';
import { firstSweep, readDeclaredFunctions } from './declared-functions.ts';
import { noticingFirstWatches } from './first-watch.ts';
import { type FactListener, type Functions, openFunctions } from './open-functions.ts';
import { noticingMachines, type SeenMachines } from './seen-machines.ts';

export interface HostOptions {
  /** Leads to the API server that has the Machines. */
  kubeConfig: KubeConfig;
  clock: Clock;
  random: () => number;
  log: InstanceLog;
  /** Variables of shared/runtime/config-variables.ts, over those that serverless.yml sets. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Told of every fact from the first one on. */
  onFact?: FactListener;
  /** Asked for servers instead of the provider that the environment names. */
  actuator?: Actuator;
  /** Functions of DeletionHooks that run elsewhere: the Broker brings them their calls. */
  hooks?: readonly HookFunction[] | undefined;
  /** Counts from earlier on; one of the host's own by default. */
  tally?: RequestTally;
}

/** The functions with their Broker, sources and store, in this process, for one API server. */
export interface Host {
  /** The sources' connection. */
  kubernetes: Kubernetes;
  /** Those whose Machines are watched. */
  machineApis: readonly MachineApi[];
  /** The Machines as the sources see them. */
  machines: SeenMachines;
  /** What the functions remember of deletions. */
  records: Pick<Store, 'history' | 'podRecords'>;
  /** Hands an event to the Broker. */
  publish(event: CloudEvent): Promise<void>;
  /** Tells of every fact the functions announce; returns the way to stop. */
  onFact(listener: FactListener): () => void;
  /** What this process has asked of API servers so far: functions, sources and who uses `kubernetes`. */
  requests(): RequestCount[];
  deadLetters(): readonly DeadLetter[];
  /** URL of the store's DynamoDB, for who reads the history. */
  storeEndpoint: string;
  close(): Promise<void>;
}

/** Serves the functions and starts what serverless.yml declares. Throws NoMachineApi, ConfigInvalid, Unavailable. */
export const startHost = (options: HostOptions): Promise<Host> =>
  opened((closing) => start(options, closing));

async function start(options: HostOptions, closing: AsyncDisposableStack): Promise<Host> {
  const { kubeConfig, clock, random, log, tally = new RequestTally() } = options;
  const kubernetes = connect(kubeConfig, { clock, userAgent: 'phaseout-sources', onRequest: tally.add });
  closing.defer(() => kubernetes.close());
  const apiUrl = kubeConfig.getCurrentCluster()?.server ?? '';
  // The declared functions hold part of the configuration, and the configuration names the Machine APIs.
  const config = configOf(await readDeclaredFunctions([]), options.env);
  const machineApis = await servedMachineApis(kubernetes, apiUrl, dialectsFor(config));
  const file = await readDeclaredFunctions(machineApis, config.namespaces);

  // The functions' address has to be known before what they need can be made: early requests wait for that.
  const arriving = Promise.withResolvers<Functions>();
  const serving = await serve(forwarded(file, arriving.promise), {
    port: 0,
    host: '127.0.0.1',
    clock,
    log,
    requestTimeoutSeconds: config.requestTimeoutSeconds,
    emit: async (event, signal) => (await arriving.promise).outbox.emit(event, signal),
  });
  closing.defer(() => serving.close());
  const { api, machines } = noticingMachines(kubernetes);
  const watches = noticingFirstWatches(api, file.apiServerSources, clock);
  const eventing = await openEventing({
    file,
    clock,
    random,
    api: watches.api,
    apiUrl,
    serviceUrl: () => serving.url,
    functions: serving,
    hooks: options.hooks,
    ...complaints(log, closing),
  });
  closing.defer(() => eventing.close());
  const post = outboxPost(eventing.post);
  const ours = { tally, config: { ...config, sink: eventing.sink }, post };
  const functions = await openFunctions({ ...options, ...ours });
  closing.defer(() => functions.close());
  arriving.resolve(functions);
  if (options.onFact !== undefined) functions.onFact(options.onFact);

  eventing.startSources();
  await watches.areOpen();
  for (const tick of firstSweep(file)) await eventing.broker.publish(tick);
  return {
    kubernetes,
    machineApis,
    machines,
    records: functions.instance.environment.store,
    publish: async (event) => void (await eventing.broker.publish(event)),
    onFact: (listener) => functions.onFact(listener),
    requests: () => tally.counts(),
    deadLetters: () => eventing.broker.deadLetters(),
    storeEndpoint: functions.storeEndpoint,
    close: () => closing.disposeAsync(),
  };
}

/** The environment as Knative would give it, except for what is chosen here: the port and the store. */
function configOf(file: ServerlessFile, env: HostOptions['env'] = {}): Config {
  const declared = file.services.flatMap(({ environment }) => Object.entries(environment));
  // Beside the API's own controller only where one is played, or is known to run.
  const mode = { PHASEOUT_MODE: 'replace' };
  return readConfig({
    ...Object.fromEntries(declared),
    ...mode,
    ...env,
    PORT: '0',
    PHASEOUT_DYNAMODB_ENDPOINT: '',
  });
}

function forwarded(file: ServerlessFile, arriving: Promise<Functions>): Record<string, Handler> {
  const handlers = file.functions.map(({ name }): [string, Handler] => [
    `/${name}`,
    async (request, context) => {
      const handler = (await arriving).instance.handlers[name];
      if (handler === undefined) throw new Error(`serverless.yml declares "${name}", which is no function`);
      return handler(request, context);
    },
  ]);
  return Object.fromEntries(handlers);
}

/** What is lost while everything is being closed was not worth a word. */
function complaints(
  log: InstanceLog,
  closing: AsyncDisposableStack,
): Pick<EventingOptions, 'onDeadLetter' | 'onDropped'> {
  const warn = (message: string, fields: object): void => {
    if (!closing.disposed) log.warn(message, fields);
  };
  return {
    onDeadLetter: ({ event, trigger, status, reason }) =>
      warn('Event not delivered', { type: event.attributes['type'], trigger, status, reason }),
    onDropped: (source, reason) => warn('Source dropped an event', { source, reason }),
  };
}
