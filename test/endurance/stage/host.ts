import type { TestContext } from 'vitest';
import { servedMachineApis } from '../../../infra/host/served-machine-apis.ts';
import { setUpTable } from '../../../infra/host/set-up-table.ts';
import { openEventing } from '../../../infra/local/eventing/open-eventing.ts';
import { readDeclaredFunctions } from '../../../infra/local/platform/declared-functions.ts';
import { startDynamoDb } from '../../../infra/local/store/dynamodb.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { type Activator, anActivator } from './activator.ts';
import { type FailingCluster, until } from './cluster.ts';
import { type Running, spawned } from './spawned.ts';

/** The functions as they run in a container, as a process of its own. */
export interface HostProcess extends Running {
  lines(): Record<string, unknown>[];
  /** Whether it has logged this. */
  has(msg: string): boolean;
  /** Resolves with the base URL when it serves and logs that it is ready. */
  ready(): Promise<string>;
}

/** On a machine that is busy with other things a start takes many times as long as it needs to. */
const longestMilliseconds = 60_000;

/** Listens on loopback only; the log is read from the standard output. */
export function hostProcess(
  context: TestContext,
  env: Readonly<Record<string, string>>,
  ...args: string[]
): HostProcess {
  const common = { PATH: process.env['PATH'] ?? '', PORT: '0', PHASEOUT_LISTEN_ADDRESS: '127.0.0.1' };
  const running = spawned(context, { script: 'infra/host/main.ts', args, env: { ...common, ...env } });
  const lines = (): Record<string, unknown>[] => {
    const whole = running.written.stdout.split('\n').slice(0, -1);
    return whole.map((line): Record<string, unknown> => JSON.parse(line));
  };
  const has = (msg: string): boolean => lines().some((line) => line['msg'] === msg);
  return {
    ...running,
    lines,
    has,
    async ready() {
      const isOver = (): boolean => running.process.exitCode !== null;
      await until(() => isOver() || has('Serving'), longestMilliseconds);
      if (isOver()) throw new Error(`it did not come up: ${running.written.stdout}${running.written.stderr}`);
      const url = `http://127.0.0.1:${String(lines().find(({ msg }) => msg === 'Serving')?.['port'])}`;
      // The proxy in front of it probes it.
      await fetch(`${url}/health/readiness`);
      await until(() => has('Ready'), longestMilliseconds);
      return url;
    },
  };
}

/** What Knative puts around the functions, in this process. */
export interface Surroundings {
  /** The environment that a container would have. */
  env: Readonly<Record<string, string>>;
  activator: Activator;
}

/** A Broker, sources and a store for functions that run elsewhere. Closed when the test is over. */
export async function surroundings(context: TestContext, stage: FailingCluster): Promise<Surroundings> {
  const closing = new AsyncDisposableStack();
  context.onTestFinished(() => closing.disposeAsync());
  const clock = systemClock;
  const kubeConfig = loadKubeConfig({ file: stage.kubeconfig });
  const api = connect(kubeConfig, { clock });
  closing.defer(() => api.close());
  const database = await startDynamoDb();
  closing.defer(() => database.close());
  const endpoint = { PHASEOUT_DYNAMODB_ENDPOINT: database.endpoint };
  await setUpTable(readConfig(endpoint), { env: {}, clock, log: silent });
  const activator = await anActivator(context);
  const apiUrl = kubeConfig.getCurrentCluster()?.server ?? '';
  const file = await readDeclaredFunctions(await servedMachineApis(api, apiUrl));
  const serviceUrl = () => activator.url;
  const eventing = await openEventing({ file, clock, random: Math.random, api, apiUrl, serviceUrl });
  closing.defer(() => eventing.close());
  eventing.startSources();
  const env = {
    K_SINK: eventing.sink,
    KUBECONFIG: stage.kubeconfig,
    ...endpoint,
    PHASEOUT_MACHINE_APIS: 'capi',
    PHASEOUT_LOOK_AGAIN_SECONDS: '1',
  };
  return { env, activator };
}
