import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { announce } from '../../../events/announce.ts';
import { openFunctions } from '../../../infra/host/open-functions.ts';
import { kubeconfigFor } from '../../../infra/local/kubeconfig.ts';
import { listenLocally } from '../../../infra/local/listen.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { CouldNotLook, nodes } from '../../../shared/kubernetes/port.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent as log } from '../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../shared/store/memory.ts';
import { anActuator } from '../../builders/actuator.ts';
import { countedMetrics } from '../../builders/observed.ts';
import { about, time } from '../../events/examples.ts';

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
  ['at once', { PHASEOUT_EVICTION_BURST: '3' }],
  ['at the same time', { PHASEOUT_EVICTIONS_IN_FLIGHT: '3' }],
])('no more evictions are made %s than are configured', async (_what, env) => {
  const { promise: asked, resolve: areAsked } = Promise.withResolvers<void>();
  let requests = 0;
  const apiServer = createServer((request) => {
    request.resume();
    requests += 1;
    if (requests === 3) areAsked();
  });
  onTestFinished(() => apiServer.close().closeAllConnections());
  const there = loadKubeConfig({ text: kubeconfigFor(await listenLocally(apiServer)) });
  const store = createMemoryStore(clock);
  const config = readConfig({ PHASEOUT_EVICTIONS_PER_SECOND: '0.01', ...env });
  const { instance } = openFunctions({ ...around, kubeConfig: there, store, config });
  const workload = await instance.environment.workloads.of({ kind: 'here' });
  const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    metadata: { namespace: 'shop', name, uid: name },
  }));
  void workload.evictAll(pods.map((pod) => ({ pod })));
  await asked;
  await pause(50);
  expect(requests).toBe(3);
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
  functions.outbox.tell(announce({ ...about, kind: 'started' }, time));
  await functions.close();
  expect(taken).toEqual(['dev.phaseout.deletion.started.v1']);
  await expect(functions.management.get(nodes, { name: 'node-1' })).rejects.toThrow(CouldNotLook);
});
