import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import * as z from 'zod';
import { advance } from '../../events/advance.ts';
import { setUpTable } from '../../infra/host/set-up-table.ts';
import { startServer } from '../../infra/host/start-server.ts';
import { type LocalApi, startLocalApi } from '../../infra/local/apis/local-api.ts';
import { readExample } from '../../infra/local/examples/read-example.ts';
import type { Cluster } from '../../infra/local/kubernetes/objects/cluster.ts';
import { listenLocally } from '../../infra/local/kubernetes/server/listen.ts';
import { bringUp } from '../../infra/local/platform/bring-up.ts';
import { startDynamoDb } from '../../infra/local/store/dynamodb.ts';
import { toBinary } from '../../shared/http/cloud-events/cloud-event.ts';
import { checkpointAnnotation, parseCheckpoint } from '../../shared/machine/checkpoint.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { createLog } from '../../shared/runtime/log.ts';
import { type Clock, type Instant, pause, systemClock } from '../../shared/time/clock.ts';

const machines = 'machines.cluster.x-k8s.io';
const hooks = {
  'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic': null,
  'pre-terminate.delete.hook.machine.cluster.x-k8s.io/back-up-logs': null,
};

/** A clock whose timers wait while something is measured: what they begin is no part of it. */
function measuringClock() {
  let isMeasured = false;
  const held: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after: (milliseconds, run) =>
      systemClock.after(milliseconds, () => {
        if (isMeasured) held.push(run);
        else run();
      }),
  };
  const during = async (work: () => Promise<void>): Promise<void> => {
    isMeasured = true;
    await work();
    isMeasured = false;
    for (const run of held.splice(0)) run();
  };
  return { clock, during };
}

/** Its deletion opens all connections, and then waits for nothing that comes by itself. */
const noDrain = { 'machine.cluster.x-k8s.io/exclude-node-draining': 'true' };

/** One instance that has begun to drain the Nodes of two Machines: all that it needs is open. */
export interface Drained {
  /** The next step of the Machine whose Pods a budget protects: an eviction is refused, and its condition says so. */
  step(): Promise<void>;
  /** What the condition of that Machine says. */
  message(): string;
}

/** Brings up the example fleet and one instance, as an installation has it, and drains until a budget refuses. */
export async function aDrainBeforeItsRefusal(closing: AsyncDisposableStack): Promise<Drained> {
  const { clock, during } = measuringClock();
  const api = await aFleet(clock, closing);
  const { cluster } = api.apiServer;
  const begun = await anInstance(api, clock, closing);
  await begun.post('worker-1', 'pre-drain');
  await begun.close();
  for (const pod of podsOn(cluster, 'worker-1', 'cache'))
    cluster.remove('pods', pod, { gracePeriodSeconds: 0 });
  const budget = cluster.get('poddisruptionbudgets.policy', 'shop', 'web');
  cluster.patch('poddisruptionbudgets.policy', budget!, { status: { disruptionsAllowed: 0 } }, 'status');
  const instance = await anInstance(api, clock, closing);
  await instance.post('worker-2', 'pre-drain');
  await instance.isQuiet();
  return {
    step: () => during(() => instance.post('worker-1', 'drain')),
    message: () => conditionOf(cluster.get(machines, 'fleet', 'worker-1')),
  };
}

/** The example fleet as it runs, without the hooks of worker-1. Its controllers rest: nothing moves by itself. */
async function aFleet(clock: Clock, closing: AsyncDisposableStack): Promise<LocalApi> {
  const api = await startLocalApi({ manifests: await readExample('capi'), clock, random: Math.random });
  closing.defer(() => api.close());
  await bringUp(api, clock);
  const { cluster } = api.apiServer;
  for (const name of ['worker-1', 'worker-2']) {
    const machine = cluster.get(machines, 'fleet', name)!;
    const annotations = name === 'worker-2' ? { ...hooks, ...noDrain } : hooks;
    cluster.patch(machines, machine, { metadata: { annotations } });
    cluster.remove(machines, machine);
  }
  return api;
}

interface Instance {
  /** Resolves when it is ready, and has nothing under way. */
  isQuiet(): Promise<void>;
  post(machine: string, phase: Phase): Promise<void>;
  close(): Promise<void>;
}

/** The functions as the image serves them, with a store and a sink of their own. */
async function anInstance(api: LocalApi, clock: Clock, closing: AsyncDisposableStack): Promise<Instance> {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-way-'));
  closing.defer(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, api.kubeconfig);
  const sink = createServer(
    (incoming, answer) => void incoming.resume().on('end', () => answer.writeHead(202).end()),
  );
  closing.defer(() => sink.close().closeAllConnections());
  const store = await startDynamoDb();
  closing.defer(() => store.close());
  const env = {
    PORT: '0',
    PHASEOUT_LISTEN_ADDRESS: '127.0.0.1',
    PHASEOUT_MACHINE_APIS: 'capi',
    PHASEOUT_DYNAMODB_ENDPOINT: store.endpoint,
    KUBECONFIG: kubeconfig,
    K_SINK: await listenLocally(sink),
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    AWS_REGION: 'any',
  };
  const config = readConfig(env);
  const log = createLog({ stream: { write: () => true }, clock, level: 'info', form: 'json' });
  await setUpTable(config, { env, clock, log });
  const server = await startServer({ env, clock, random: Math.random, hostname: 'way', config, log });
  closing.defer(() => server.close());
  return {
    close: () => server.close(),
    async isQuiet() {
      const isReady = async () => (await request(`${server.url}/health/readiness`)).statusCode === 200;
      while (!(await isReady()) || server.unfinished() !== undefined) await pause(systemClock, 100);
    },
    async post(name, phase) {
      const command = commandFor(api.apiServer.cluster, name, phase, clock.now());
      const headers = { prefer: 'reply' };
      const { statusCode, body } = await request(`${server.url}/${phase}`, {
        method: 'POST',
        body: command.body,
        headers: { ...command.headers, ...headers },
      });
      const text = await body.text();
      if (statusCode >= 300) throw new Error(`${phase} of ${name} was answered ${statusCode}: ${text}`);
    },
  };
}

function commandFor(cluster: Cluster, name: string, phase: Phase, now: Instant) {
  const { apiVersion = '', metadata } = cluster.get(machines, 'fleet', name)!;
  const { uid = '', annotations } = metadata;
  const reading = parseCheckpoint(annotations?.[checkpointAnnotation], uid);
  const seq = reading.kind === 'valid' ? reading.checkpoint.seq : 0;
  return toBinary(advance({ machine: { apiVersion, namespace: 'fleet', name, uid }, phase, seq }, now));
}

const podsOn = (cluster: Cluster, node: string, app: string) =>
  cluster
    .list('pods')
    .filter(({ spec, metadata }) => Object(spec).nodeName === node && metadata.labels?.['app'] === app);

const conditions = z.object({
  status: z.object({ conditions: z.array(z.looseObject({ type: z.string(), message: z.string() })) }),
});

const conditionOf = (machine: unknown): string =>
  conditions.parse(machine).status.conditions.find(({ type }) => type === 'Deleting')?.message ?? '';
