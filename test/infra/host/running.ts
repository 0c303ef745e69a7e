import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { End } from '../../../infra/host/outside.ts';
import { runProcess } from '../../../infra/host/process.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { kubeconfigFor } from '../../../infra/local/load/kubeconfigs.ts';
import { type Clock, systemClock } from '../../../shared/time/clock.ts';
import { until } from '../../endurance/stage/cluster.ts';

type Line = Record<string, unknown>;

/** The process that runs in a container, in this one. Ended when the test is over, if it still runs. */
export interface InProcess {
  lines(): Line[];
  line(msg: string): Line | undefined;
  end(why: End): void;
  code: Promise<number>;
  /** Resolves with the base URL as soon as it serves. */
  url(): Promise<string>;
}

interface Run {
  env?: Readonly<Record<string, string>>;
  args?: readonly string[];
  clock?: Clock;
}

export function running({ onTestFinished }: TestContext, { env = {}, args = [], clock }: Run): InProcess {
  let written = '';
  const { promise: ended, resolve: end } = Promise.withResolvers<End>();
  const code = runProcess({
    args,
    env: { PORT: '0', PHASEOUT_LISTEN_ADDRESS: '127.0.0.1', ...env },
    stdout: { write: (text) => (written += text) },
    clock: clock ?? systemClock,
    random: () => 0.5,
    hostname: 'test',
    end: ended,
  });
  onTestFinished(async () => {
    end('SIGTERM');
    await code;
  });
  const lines = (): Line[] =>
    written
      .split('\n')
      .slice(0, -1)
      .map((line): Line => JSON.parse(line));
  const line = (msg: string): Line | undefined => lines().find((each) => each['msg'] === msg);
  return {
    lines,
    line,
    end,
    code,
    async url() {
      await until(() => line('Serving') !== undefined);
      return `http://127.0.0.1:${String(line('Serving')?.['port'])}`;
    },
  };
}

/** An API server that serves Cluster API's Machines, and has none. Its mood decides whether it answers. */
export interface ApiDoor {
  kubeconfig: string;
  /** Requests so far. */
  requests: number;
  mood: 'open' | 'silent';
  /** Connections break and new ones are refused. */
  close(): void;
}

const discovery: Readonly<Record<string, object>> = {
  '/apis/cluster.x-k8s.io': { versions: [{ version: 'v1beta2' }] },
  '/apis/cluster.x-k8s.io/v1beta2': { resources: [{ name: 'machines', kind: 'Machine' }] },
};

export async function anApiDoor(context: TestContext): Promise<ApiDoor> {
  const server = createServer((incoming, outgoing) => answer(door, incoming, outgoing));
  const kubeconfig = await aKubeconfig(context, await listenLocally(server));
  const close = (): void => server.close().closeAllConnections();
  const door: ApiDoor = { kubeconfig, requests: 0, mood: 'open', close };
  context.onTestFinished(close);
  return door;
}

/** The path of one that leads to this API server. */
export async function aKubeconfig({ onTestFinished }: TestContext, url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigFor(url));
  return kubeconfig;
}

function answer(door: ApiDoor, { url = '' }: IncomingMessage, outgoing: ServerResponse): void {
  door.requests += 1;
  if (door.mood === 'silent') return;
  const found = discovery[url];
  outgoing.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  const notFound = { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 };
  outgoing.end(JSON.stringify(found ?? notFound));
}
