import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as slowly } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { expect, type TestContext, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import type { CloudEvent } from '../../../events/envelope.ts';
import { resourceEvent } from '../../../events/resource.ts';
import { startServer } from '../../../infra/host/start-server.ts';
import { clusterApiDefinitions } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import { createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../../infra/local/kubernetes/server/http.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { type Clock, systemClock } from '../../../shared/time/clock.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { until } from '../../endurance/stage/cluster.ts';
import { time } from '../../events/examples.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { logLines } from '../../shared/http/log-lines.ts';
import { aKubeconfig, anApiDoor } from './running.ts';

/** What came, by type; it is taken when the test lets it be. */
async function aSink({ onTestFinished }: TestContext) {
  const types: unknown[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((incoming, outgoing) => {
    types.push(incoming.headers['ce-type']);
    waiting.push(outgoing);
  });
  onTestFinished(() => server.close().closeAllConnections());
  const take = (): void => {
    for (const outgoing of waiting.splice(0)) outgoing.writeHead(202).end();
  };
  return { types, take, url: await listenLocally(server) };
}

function start(env: Readonly<Record<string, string>>, clock: Clock = systemClock) {
  const { log, lines } = logLines();
  const given = { PORT: '0', PHASEOUT_LISTEN_ADDRESS: '127.0.0.1', PHASEOUT_MACHINE_APIS: 'capi' };
  // No process listens there.
  const all = { PHASEOUT_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', ...given, ...env };
  const around = { env: all, clock, random: () => 0, hostname: 'test', log };
  return { lines, starting: startServer({ ...around, config: readConfig(all) }) };
}

const post = (url: string, event: CloudEvent) => request(url, { method: 'POST', ...toBinary(event) });

const { metadata, spec } = aRawMachine();
const apiVersion = 'cluster.x-k8s.io/v1beta2';
const deleting = {
  apiVersion,
  kind: 'Machine',
  metadata: { ...metadata, uid: 'uid-1', resourceVersion: '7' },
  spec,
};

/** As a source sends it that reads no replies. */
const deletion = resourceEvent(
  { change: 'update', object: deleting, plural: 'machines' },
  { id: '1', source: 'https://10.96.0.1:443', time },
);

test('what is no reply goes to the sink', async (context) => {
  const [door, sink] = [await anApiDoor(context), await aSink(context)];
  const server = await start({ KUBECONFIG: door.kubeconfig, K_SINK: sink.url }).starting;
  const posted = post(`${server.url}/intake`, deletion);
  await until(() => sink.types.length > 0, 2_000);
  sink.take();
  await posted;
  await server.close();
  expect(sink.types).toEqual(['dev.phaseout.deletion.advance.v1']);
});

/** An API server with a Machine that is being deleted, whose Cluster is missing. */
async function aDeletion(context: TestContext) {
  const api = createApiServer({ clock: systemClock });
  for (const one of clusterApiDefinitions())
    api.cluster.create('customresourcedefinitions.apiextensions.k8s.io', one);
  const { name, namespace = '', finalizers = [] } = metadata;
  const wanted = { metadata: { name, namespace, finalizers }, spec };
  const created = api.cluster.create('machines.cluster.x-k8s.io', wanted);
  api.cluster.remove('machines.cluster.x-k8s.io', created);
  const listening = await listen(api);
  context.onTestFinished(() => listening.close());
  const { uid = '' } = created.metadata;
  const machine = { apiVersion, namespace, name, uid };
  return { kubeconfig: await aKubeconfig(context, listening.url), machine };
}

test('closed, it lets a request that was coming in ask for all that it needs', async (context) => {
  const { kubeconfig, machine } = await aDeletion(context);
  const server = await start({ KUBECONFIG: kubeconfig }).starting;
  const { headers, body } = toBinary(advance({ machine, phase: 'drain', seq: 0 }, time));
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const coming = slowly(`${server.url}/drain`, { method: 'POST', headers: { ...headers, ...length } });
  const answered = once(coming, 'response');
  coming.write(body.slice(0, 10));
  await until(() => server.unfinished() !== undefined, 2_000);
  const closing = server.close();
  await pause(50);
  coming.end(body.slice(10));
  const [answer]: IncomingMessage[] = await answered;
  answer?.resume();
  expect(answer?.statusCode).toBe(204);
  await closing;
});

test('facts that are not told yet are unfinished', async (context) => {
  const { kubeconfig, machine } = await aDeletion(context);
  const sink = await aSink(context);
  const server = await start({ KUBECONFIG: kubeconfig, K_SINK: sink.url }).starting;
  expect(server.unfinished()).toBeUndefined();
  await post(`${server.url}/drain`, advance({ machine, phase: 'drain', seq: 0 }, time));
  await until(() => sink.types.length > 0, 2_000);
  expect(server.unfinished()).toEqual({ requests: [], steps: [], facts: 1 });
  sink.take();
  await server.close();
  expect(server.unfinished()).toBeUndefined();
});

test('a port that cannot be had leaves nobody asking', async (context) => {
  const clock = manualClock();
  const door = await anApiDoor(context);
  const taken = createServer();
  context.onTestFinished(() => void taken.close());
  const { port } = new URL(await listenLocally(taken));
  const { starting, lines } = start({ KUBECONFIG: door.kubeconfig, PORT: port }, clock);
  await expect(starting).rejects.toThrow('EADDRINUSE');
  await clock.advance(10_000);
  expect([door.requests, lines.filter(({ msg }) => msg === 'Not ready')]).toEqual([0, []]);
});

/** A server that gives everybody the same answer. */
async function anAnswerer({ onTestFinished }: TestContext, status: number, body: string) {
  const open = new Set<unknown>();
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  onTestFinished(() => server.close().closeAllConnections());
  return { open, url: await listenLocally(server) };
}

test('closed, it lets go of its connections to the API server and to the store', async (context) => {
  const apiServer = await anAnswerer(context, 404, '{"kind":"Status","status":"Failure","code":404}');
  const store = await anAnswerer(context, 200, '{"Items":[],"Count":0}');
  const kubeconfig = await aKubeconfig(context, apiServer.url);
  const { starting, lines } = start({ KUBECONFIG: kubeconfig, PHASEOUT_DYNAMODB_ENDPOINT: store.url });
  const server = await starting;
  await (await request(`${server.url}/health/readiness`)).body.dump();
  // What the API server says is of no use, but it has been asked.
  const said = (...words: string[]): boolean => words.every((word) => lines.some(({ msg }) => msg === word));
  await until(() => said('Not ready', 'Answered'), 2_000);
  expect([apiServer.open.size > 0, store.open.size > 0]).toEqual([true, true]);
  await server.close();
  await until(() => apiServer.open.size + store.open.size === 0, 2_000);
});
