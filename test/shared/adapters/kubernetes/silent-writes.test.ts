import { expect, test } from 'vitest';

import { createWorkloadClusters } from '../../../../shared/adapters/workload-clusters/workload-clusters.ts';
import type { WorkloadRef } from '../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { nodes } from '../../../../shared/kubernetes/resources.ts';
import { watchedApi } from '../../reconcile/watches.ts';
import { json, kubeConfigText, startServer } from './local-server.ts';
import { manualClock } from './manual-clock.ts';

const workload: WorkloadRef = { kind: 'cluster', namespace: 'ns', clusterName: 'c' };
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };

// A webhook may take its time over a write, and says nothing of the reads of all the other Machines.
test.each([
  ['cordoning a Node', 'PATCH'],
  ['deleting a Node', 'DELETE'],
] as const)('a cluster is not taken for down because %s takes long', async (_, method) => {
  const clock = manualClock();
  await using server = await startServer((request, response) => {
    if (request.method !== method) json(response, 200, node);
  });
  const value = Buffer.from(kubeConfigText(server.url)).toString('base64');
  const secret = { metadata: { name: 'c-kubeconfig', resourceVersion: '1' }, data: { value } };
  const clusters = createWorkloadClusters({ ...watchedApi().api, get: async () => secret }, { clock });
  const cluster = await clusters.of(workload);
  const written =
    method === 'PATCH'
      ? cluster.mergePatch(nodes, { name: 'n' }, { spec: { unschedulable: true } })
      : cluster.delete(nodes, { name: 'n' }, 'u');
  const outcome = written.catch((error: unknown) => error);
  await expect.poll(() => server.seen).toHaveLength(1);
  await clock.advance(10_000);
  expect(await outcome).toBeInstanceOf(Unavailable);
  expect(await (await clusters.of(workload)).get(nodes, { name: 'n' })).toEqual(node);
  await clusters.close();
});
