import { readFileSync } from 'node:fs';
import { CoreV1Api, CustomObjectsApi, KubeConfig, Watch } from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clusterApiDefinitions } from '../../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { type ApiServer, createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../../../../infra/local/kubernetes/server/http.ts';
import type { Listening } from '../../../../../infra/local/kubernetes/server/listen.ts';
import { systemClock } from '../../../../../shared/time/clock.ts';
import { httpTransport, replay } from '../../../../golden/kubernetes/replay.mjs';

const transcripts = new URL('../../../../golden/kubernetes/transcripts/', import.meta.url);
const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'default' },
  spec: {
    clusterName: 'c',
    bootstrap: { dataSecretName: 'b' },
    infrastructureRef: { apiGroup: 'infrastructure.example.com', kind: 'Server', name: 's' },
  },
};

const admin = { name: 'admin', groups: ['system:masters'] };

let server: ApiServer;
let listening: Listening;

beforeEach(async () => {
  server = createApiServer({ clock: systemClock, access: { users: { admin } } });
  for (const definition of clusterApiDefinitions()) {
    server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  }
  listening = await listen(server);
});

afterEach(() => listening.close());

function kubeConfig(): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'local', server: listening.url, skipTLSVerify: true },
    { name: 'admin', token: 'admin' },
  );
  return config;
}

describe('the API server over HTTP', () => {
  it.each(['02-concurrency', '07-eviction-basic', '09-watch-selectors'])(
    'answers through a socket as in %s',
    async (name) => {
      const report = await replay(JSON.parse(readFileSync(new URL(`${name}.json`, transcripts), 'utf8')), {
        transport: httpTransport(listening.url),
        tokens: { admin: 'admin' },
        run: 'abc',
      });
      expect(report.steps.flatMap(({ diffs }) => diffs)).toEqual([]);
    },
  );

  it('works for the official client: custom objects, core objects and their errors', async () => {
    const custom = kubeConfig().makeApiClient(CustomObjectsApi);
    const core = kubeConfig().makeApiClient(CoreV1Api);
    const place = { group: 'cluster.x-k8s.io', version: 'v1beta2', namespace: 'default', plural: 'machines' };
    await custom.createNamespacedCustomObject({ ...place, body: machine });
    const list = await custom.listNamespacedCustomObject(place);
    expect(list).toMatchObject({ kind: 'MachineList', items: [{ metadata: { name: 'm', generation: 1 } }] });
    const missing = core.readNamespacedPod({ name: 'nope', namespace: 'default' });
    await expect(missing).rejects.toMatchObject({ code: 404 });
  });

  it('works for the official watch', async () => {
    const seen = new Promise<string>((resolve, reject) => {
      const path = '/apis/cluster.x-k8s.io/v1beta2/machines';
      const onEvent = (type: string, object: { metadata: { name: string } }) =>
        resolve(`${type} ${object.metadata.name}`);
      new Watch(kubeConfig()).watch(path, {}, onEvent, reject).catch(reject);
    });
    server.cluster.create('machines.cluster.x-k8s.io', machine);
    expect(await seen).toBe('ADDED m');
  });

  it('reads the protobuf that kubectl sends for a namespace', async () => {
    const { steps } = JSON.parse(readFileSync(new URL('16-kubectl-write.json', transcripts), 'utf8'));
    const sent = steps.find(
      ({ request }: { request?: { sentBase64?: string; path: string } }) =>
        request?.sentBase64 !== undefined && request.path === '/api/v1/namespaces',
    );
    const response = await fetch(`${listening.url}/api/v1/namespaces`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin', 'content-type': 'application/vnd.kubernetes.protobuf' },
      body: Buffer.from(sent.request.sentBase64, 'base64'),
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ kind: 'Namespace', status: { phase: 'Active' } });
  });

  it('asks who is there when it was told whom to let in', async () => {
    const response = await fetch(`${listening.url}/api/v1/pods`, {
      headers: { authorization: 'Bearer bad' },
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ reason: 'Unauthorized', message: 'Unauthorized' });
  });

  it('ends the watches that are open when it closes', async () => {
    const headers = { authorization: 'Bearer admin' };
    const response = await fetch(`${listening.url}/api/v1/pods?watch=true`, { headers });
    const read = response.text();
    await listening.close();
    await expect(read).rejects.toThrow('terminated');
    listening = await listen(server);
  });
});
