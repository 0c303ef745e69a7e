import { expect, test } from 'vitest';

import { createWorkloadCluster } from '../../../../shared/adapters/workload-clusters/workload-cluster.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { nodes } from '../../../../shared/kubernetes/resources.ts';
import { json, kubeConfigText, startServer } from '../kubernetes/local-server.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

const secretFor = (url: string): KubeObject => ({
  metadata: { name: 'c-kubeconfig', resourceVersion: '1' },
  data: { value: Buffer.from(kubeConfigText(url)).toString('base64') },
});
const cluster = { namespace: 'ns', clusterName: 'c' };

test('who tries out a cluster that is down, and never asks it, keeps the others from it for ten seconds', async () => {
  const clock = manualClock();
  const gone = await startServer(() => undefined);
  await gone[Symbol.asyncDispose]();
  const access = createWorkloadCluster({ get: async () => secretFor(gone.url) }, cluster, { clock });
  await expect((await access.api()).get(nodes, { name: 'n' })).rejects.toThrow(Unavailable);
  await clock.advance(1_000);
  await access.api();
  await clock.advance(9_999);
  await expect(access.api()).rejects.toThrow('connection to the workload cluster is down');
  await clock.advance(1);
  await expect(access.api()).resolves.toBeDefined();
  await access.close();
});

test('a connection that is only about to be made when all are closed is closed as well', async () => {
  await using server = await startServer((_, response) => json(response, 200, { metadata: { name: 'n' } }));
  const reading = Promise.withResolvers<KubeObject>();
  const access = createWorkloadCluster({ get: () => reading.promise }, cluster, { clock: manualClock() });
  const opening = access.api();
  const closing = access.close();
  reading.resolve(secretFor(server.url));
  const api = await opening;
  await closing;
  await expect(api.get(nodes, { name: 'n' })).rejects.toThrow('the connection was closed');
  expect(server.seen).toEqual([]);
});

test('what cannot be opened any more keeps nobody from closing', async () => {
  const reading = Promise.withResolvers<KubeObject>();
  const access = createWorkloadCluster({ get: () => reading.promise }, cluster, { clock: manualClock() });
  const opening = access.api().catch(String);
  const closing = access.close();
  reading.reject(new Unavailable('no answer'));
  expect(await opening).toContain('no answer');
  await closing;
});
