import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { openEventing } from '../../../../infra/local/eventing/open-eventing.ts';
import { clusterApiDefinitions } from '../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../../../infra/local/kubernetes/server/http.ts';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { readServerless } from '../../../../infra/serverless/read.ts';
import { connect } from '../../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

const written = `service: test
provider:
  name: knative
  namespace: knfacts
  serviceAccountName: test
  broker: { name: broker }
  scaling: { minScale: 0, maxScale: 1, containerConcurrency: 0, timeoutSeconds: 60 }
  delivery: { retry: 0 }
functions:
  intake:
    handler: functions/intake.ts
    service: intake
    events:
      - apiServer:
          apiVersion: cluster.x-k8s.io/v1beta2
          kind: Machine
          plural: machines
          changes: [add, update, delete]
  sweep:
    handler: functions/sweep.ts
    service: sweep
    events:
      - ping: { schedule: '* * * * * *', data: { sweep: due } }
  drain:
    handler: functions/drain.ts
    service: drain
    events:
      - trigger:
          filter: { attributes: { type: dev.phaseout.deletion.advance.v1, phase: drain } }
`;

const aMachine = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, namespace: 'default', finalizers: ['machine.cluster.x-k8s.io'] },
  spec: {
    clusterName: 'c',
    bootstrap: { dataSecretName: 'x' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachine', name },
  },
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** All functions in one server; the intake answers a deletion with the event that starts the drain. */
async function theFunctions() {
  const received: { path: string; type: string; data: unknown }[] = [];
  async function take(request: IncomingMessage, response: ServerResponse) {
    const data: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const type = String(request.headers['ce-type']);
    received.push({ path: request.url ?? '', type, data });
    const advance = { specversion: '1.0', id: 'a', source: '/t', type: 'dev.phaseout.deletion.advance.v1' };
    if (!type.endsWith('resource.delete')) return response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'application/cloudevents+json' });
    return response.end(JSON.stringify({ ...advance, phase: 'drain', data: {} }));
  }
  const server = createServer((request, response) => void take(request, response));
  const url = await listenLocally(server);
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url, received };
}

async function theCluster() {
  const apiServer = createApiServer({ clock: systemClock });
  for (const definition of clusterApiDefinitions()) {
    apiServer.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  }
  const listening = await listen(apiServer);
  closing.push(() => listening.close());
  const { url } = listening;
  const cluster = { name: 'local', cluster: { server: url } };
  const context = { name: 'local', context: { cluster: 'local', user: 'local' } };
  const config = { clusters: [cluster], contexts: [context], users: [{ name: 'local', user: {} }] };
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'local', ...config });
  const api = connect(loadKubeConfig({ text }), { clock: systemClock });
  closing.push(() => api.close());
  return { apiServer, url, api };
}

test('the changes of a Machine, the ticks and a reply reach the functions that serverless.yml names', async () => {
  const reading = readServerless(written);
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
  const functions = await theFunctions();
  const { apiServer, url, api } = await theCluster();
  const { cluster } = apiServer;
  cluster.create('machines.cluster.x-k8s.io', aMachine('before'));

  const eventing = await openEventing({
    file: reading.file,
    clock: systemClock,
    random: () => 0,
    serviceUrl: () => functions.url,
    api,
    apiUrl: url,
  });
  closing.push(() => eventing.close());
  expect(eventing.sink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/knfacts\/broker$/);
  eventing.startSources();
  await vi.waitFor(() => expect(apiServer.requests().map(({ verb }) => verb)).toContain('watch'));

  const created = cluster.create('machines.cluster.x-k8s.io', aMachine('m-1'));
  cluster.remove('machines.cluster.x-k8s.io', created);
  cluster.patch('machines.cluster.x-k8s.io', created, { metadata: { finalizers: null } });
  const at = (path: string) => functions.received.filter((event) => event.path === path);
  await vi.waitFor(() => expect(at('/drain')).toHaveLength(1));
  expect(at('/intake').map(({ type }) => type)).toEqual([
    'dev.knative.apiserver.resource.add',
    'dev.knative.apiserver.resource.update',
    'dev.knative.apiserver.resource.delete',
  ]);
  // The state before the last write: the finalizer that is gone is still listed.
  expect(at('/intake')[2]?.data).toMatchObject({
    metadata: { name: 'm-1', finalizers: ['machine.cluster.x-k8s.io'] },
  });
  await vi.waitFor(() => expect(at('/sweep')[0]?.data).toEqual({ sweep: 'due' }), { timeout: 3000 });
  expect(eventing.broker.deadLetters()).toEqual([]);
});
