import { createServer } from 'node:http';
import type { WatchedApi } from '../../../infra/local/eventing/follow-changes.ts';
import { openEventing } from '../../../infra/local/eventing/open-eventing.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { noticingFirstWatches } from '../../../infra/local/platform/first-watch.ts';
import { startDynamoDb } from '../../../infra/local/store/dynamodb.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { type Child, inherited, startChild } from '../child.ts';
import type { Installation } from '../install/install.ts';
import { until } from '../until.ts';
import { containerOf, eventingOf } from './read-manifests.ts';
import type { Running } from './way.ts';

export interface ManifestsOptions {
  installation: Installation;
  /** Of a DynamoDB that is there; otherwise one is started here. */
  dynamodb: string | undefined;
  clock: Clock;
  signal: AbortSignal;
}

const script = 'infra/host/main.ts';
const startMilliseconds = 60_000;

/** Functions as they run in a container, and what Knative puts around them as the rendered objects say. */
export async function startManifests(options: ManifestsOptions): Promise<Running> {
  const closing = new AsyncDisposableStack();
  try {
    return await start(options, closing);
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

async function start(options: ManifestsOptions, closing: AsyncDisposableStack): Promise<Running> {
  const { installation, clock } = options;
  const endpoint = options.dynamodb ?? (await embedded(closing));
  const url = `http://127.0.0.1:${await freePort()}`;
  const file = eventingOf(installation.rendered, () => url);
  const { api: asked, apiUrl } = openSources(installation, clock, closing);
  const sources = noticingFirstWatches(asked, file.apiServerSources, clock);
  const eventing = await openEventing({
    file,
    clock,
    random: Math.random,
    api: sources.api,
    apiUrl,
    serviceUrl: () => url,
  });
  closing.defer(() => eventing.close());
  const container = containerOf(installation.rendered);
  const environment = {
    ...inherited,
    ...container.environment,
    KUBECONFIG: installation.functions,
    K_SINK: eventing.sink,
    PORT: new URL(url).port,
    PHASEOUT_LISTEN_ADDRESS: '127.0.0.1',
    PHASEOUT_DYNAMODB_ENDPOINT: endpoint,
    AWS_REGION: process.env['AWS_REGION'] ?? 'local',
    AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? 'local',
    AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
  };
  const functions = new Functions(environment, url, options);
  await functions.setUpTable();
  await functions.start();
  closing.defer(() => functions.stop('SIGTERM'));
  eventing.startSources();
  // Earlier changes bring no event: only the next sweep of everything would find them, minutes later.
  await sources.areOpen();
  return {
    kill: () => functions.kill(),
    log: () => functions.log(),
    requests: () => functions.requests(),
    close: () => closing.disposeAsync(),
  };
}

/** Each source asks with what its own ServiceAccount may. */
function openSources({ sources }: Installation, clock: Clock, closing: AsyncDisposableStack) {
  const configs = [...sources].map(
    ([namespace, path]) => [namespace, loadKubeConfig({ file: path })] as const,
  );
  const apis = new Map(
    configs.map(([namespace, config]) => [
      namespace,
      connect(config, { clock, userAgent: 'phaseout-sources' }),
    ]),
  );
  for (const api of apis.values()) closing.defer(() => api.close());
  const [first] = apis.values();
  const of = (namespace = ''): WatchedApi => {
    const api = apis.get(namespace) ?? first;
    if (api === undefined) throw new Error('there are no sources');
    return api;
  };
  const api: WatchedApi = {
    list: (resource, selection) => of(selection?.namespace).list(resource, selection),
    watch: (resource, selection, ...rest) => of(selection.namespace).watch(resource, selection, ...rest),
  };
  return { api, apiUrl: configs[0]?.[1].getCurrentCluster()?.server ?? '' };
}

async function embedded(closing: AsyncDisposableStack): Promise<string> {
  const database = await startDynamoDb();
  closing.defer(() => database.close());
  return database.endpoint;
}

/** The address stays the same when the process is another one, as that of a Knative Service does. */
async function freePort(): Promise<string> {
  const server = createServer();
  const { port } = new URL(await listenLocally(server));
  await new Promise((resolve) => server.close(resolve));
  return port;
}

class Functions {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #url: string;
  readonly #options: ManifestsOptions;
  readonly #children: Child[] = [];

  constructor(environment: Readonly<Record<string, string>>, url: string, options: ManifestsOptions) {
    this.#environment = environment;
    this.#url = url;
    this.#options = options;
  }

  /** As the Job does. */
  async setUpTable(): Promise<void> {
    const job = startChild(script, ['table'], this.#environment);
    await job.ended;
    if (job.process.exitCode !== 0)
      throw new Error(`the table could not be set up: ${job.lines().join('\n')}`);
  }

  async start(): Promise<void> {
    const child = startChild(script, [], this.#environment);
    this.#children.push(child);
    const { clock, signal } = this.#options;
    const waiting = { clock, signal, deadline: clock.now() + startMilliseconds };
    const isReady = async (): Promise<true | undefined> => {
      if (child.process.exitCode !== null)
        throw new Error(`the functions ended: ${child.lines().join('\n')}`);
      const answer = await fetch(`${this.#url}/health/readiness`).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.ok === true ? true : undefined;
    };
    await until('the functions to be ready', waiting, isReady, () => child.lines().join('\n'));
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    await this.#children.at(-1)?.end(signal);
  }

  async kill(): Promise<void> {
    await this.stop('SIGKILL');
    await this.start();
  }

  log(): string[] {
    return this.#children.flatMap((child) => child.lines());
  }

  /** Of the process that runs at the moment. */
  async requests(): Promise<number | undefined> {
    const answer = await fetch(`${this.#url}/metrics`).catch(() => undefined);
    if (answer?.ok !== true) return undefined;
    const counts = (await answer.text()).matchAll(/^phaseout_api_requests_total\{[^}]*\} (\d+)/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }
}
