import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createEncryptedServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { factEvent } from '../../../events/fact.ts';
import { openFunctions } from '../../../infra/host/open-functions.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { kubeconfigFor } from '../../../infra/local/load/kubeconfigs.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent as log } from '../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import { type Clock, systemClock as clock } from '../../../shared/time/clock.ts';
import { anActuator } from '../../builders/actuator.ts';
import { countedMetrics } from '../../builders/observed.ts';
import { until } from '../../endurance/stage/cluster.ts';
import { about, time } from '../../events/examples.ts';
import { authority, serverCertificate, serverKey } from '../../shared/adapters/kubernetes/certificates.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';

const kubeConfig = loadKubeConfig({ text: kubeconfigFor('http://127.0.0.1:1') });
const around = { kubeConfig, clock, random: () => 0, log, name: 'test' };

test('calls of the provider are counted', async () => {
  const { metrics, counted } = countedMetrics();
  const store = createMemoryStore(clock);
  const config = readConfig({});
  const functions = openFunctions({ ...around, store, config, metrics, actuator: anActuator() });
  await functions.instance.environment.actuator.exists({
    machine: { apiVersion: 'cluster.k8s.io/v1alpha1', metadata: { name: 'm-1' } },
    cluster: undefined,
  });
  await functions.close();
  expect(counted[0]).toBe('providerCalls machine_api=v1alpha1 operation=exists answer=exists');
});

test.each([
  ['its own Node is the one that the token of its Pod names', {}, 'worker-1'],
  ['outside of all clusters it has none, whosever token it shows', { isOutside: true }, ''],
])('%s', async (_what, where, node) => {
  const claims = { 'kubernetes.io': { node: { name: 'worker-1' } } };
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`);
  const text = kubeconfigFor('http://127.0.0.1:1').replace('token: local', `tokenFile: ${tokenFile}`);
  const store = createMemoryStore(clock);
  const inPod = { ...around, kubeConfig: loadKubeConfig({ text }), store, config: readConfig({}) };
  const functions = openFunctions({ ...inPod, ...where });
  await functions.close();
  expect(functions.instance.environment.settings.ownNode).toBe(node);
});

/** Five Pods are to be evicted by an API server that counts the requests and answers none. */
async function evicting(env: Readonly<Record<string, string>>, at: Clock = clock) {
  const apiServer = createServer((request) => {
    request.resume();
    seen.requests += 1;
  });
  const seen = { requests: 0 };
  onTestFinished(() => apiServer.close().closeAllConnections());
  const there = loadKubeConfig({ text: kubeconfigFor(await listenLocally(apiServer)) });
  const store = createMemoryStore(at);
  const config = readConfig(env);
  const { instance } = openFunctions({ ...around, clock: at, kubeConfig: there, store, config });
  const workload = await instance.environment.workloads.of({ kind: 'here' });
  const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    metadata: { namespace: 'shop', name, uid: name },
  }));
  void workload.evictAll(pods.map((pod) => ({ pod })));
  return seen;
}

test.each([
  ['at once', { PHASEOUT_EVICTION_BURST: '3' }],
  ['at the same time', { PHASEOUT_EVICTIONS_IN_FLIGHT: '3' }],
])('no more evictions are made %s than are configured', async (_what, env) => {
  const seen = await evicting({ PHASEOUT_EVICTIONS_PER_SECOND: '0.01', ...env });
  await until(() => seen.requests === 3);
  await pause(50);
  expect(seen.requests).toBe(3);
});

test('evictions are made as fast as is configured', async () => {
  const manual = manualClock();
  const seen = await evicting({ PHASEOUT_EVICTIONS_PER_SECOND: '2', PHASEOUT_EVICTION_BURST: '1' }, manual);
  await until(() => seen.requests === 1);
  await manual.advance(1_000);
  await until(() => seen.requests === 3, 2_000);
  await pause(20);
  expect(seen.requests).toBe(3);
});

test.each([
  ['believed', { K_CA_CERTS: authority }, ['dev.phaseout.deletion.started.v1']],
  ['not believed without', {}, []],
])('a Broker that encrypts is %s the authority that Knative names', async (_how, env, expected) => {
  const taken: unknown[] = [];
  const sink = createEncryptedServer({ cert: serverCertificate, key: serverKey }, (request, response) => {
    taken.push(request.headers['ce-type']);
    response.writeHead(202).end();
  });
  onTestFinished(() => sink.close().closeAllConnections());
  const { port } = new URL(await listenLocally(sink));
  const config = readConfig({ K_SINK: `https://127.0.0.1:${port}`, ...env });
  const functions = openFunctions({ ...around, store: createMemoryStore(clock), config });
  functions.outbox.publish(factEvent({ ...about, kind: 'started' }, time));
  await functions.close();
  expect(taken).toEqual(expected);
});

test('closed, the functions first tell what is still to be told, and then ask nobody any more', async () => {
  const taken: unknown[] = [];
  const sink = createServer((request, response) => {
    setTimeout(() => {
      taken.push(request.headers['ce-type']);
      response.writeHead(202).end();
    }, 50);
  });
  onTestFinished(() => sink.close().closeAllConnections());
  const config = readConfig({ K_SINK: await listenLocally(sink) });
  const functions = openFunctions({ ...around, store: createMemoryStore(clock), config });
  functions.outbox.publish(factEvent({ ...about, kind: 'started' }, time));
  await functions.close();
  expect(taken).toEqual(['dev.phaseout.deletion.started.v1']);
  await expect(functions.management.get(nodes, { name: 'node-1' })).rejects.toThrow(Unavailable);
});

test('closed, they let a step that has begun ask for all that it needs', async () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } };
  const apiServer = createServer((_request, response) => void response.end(JSON.stringify(node)));
  onTestFinished(() => apiServer.close().closeAllConnections());
  const there = loadKubeConfig({ text: kubeconfigFor(await listenLocally(apiServer)) });
  const store = createMemoryStore(clock);
  const functions = openFunctions({
    ...around,
    kubeConfig: there,
    store,
    config: readConfig({}),
  });
  const { promise: thinking, resolve: goOn } = Promise.withResolvers<void>();
  const step = functions.instance.environment.machineQueue.run('uid-1', 'drain', async () => {
    await thinking;
    return functions.management.get(nodes, { name: 'node-1' });
  });
  const closing = functions.close();
  goOn();
  expect(await step).toEqual(node);
  await closing;
});
