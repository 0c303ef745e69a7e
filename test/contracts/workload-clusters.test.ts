import { expect, onTestFinished, test } from 'vitest';

import { createApiServer } from '../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../infra/local/kubernetes/server/http.ts';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { createWorkloadClusters } from '../../shared/adapters/workload-clusters/workload-clusters.ts';
import { pods } from '../../shared/kubernetes/resources.ts';
import { systemClock } from '../../shared/time/clock.ts';

const clock = systemClock;

function kubeConfig(server: string): string {
  return JSON.stringify({
    clusters: [{ name: 'c', cluster: { server } }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    'current-context': 'x',
  });
}

test('Pods of a workload cluster are found and evicted through the Secret beside the Cluster', async () => {
  const [managementServer, workloadServer] = [createApiServer({ clock }), createApiServer({ clock })];
  const [management, workload] = await Promise.all([listen(managementServer), listen(workloadServer)]);
  managementServer.cluster.create('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'one-kubeconfig', namespace: 'default' },
    data: { value: Buffer.from(kubeConfig(workload.url)).toString('base64') },
  });
  for (let n = 0; n < 300; n += 1) {
    workloadServer.cluster.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${n}`, namespace: 'default' },
      spec: { nodeName: n % 2 === 0 ? 'even' : 'odd', containers: [{ name: 'c', image: 'i' }] },
    });
  }

  const kubernetes = connect(loadKubeConfig({ text: kubeConfig(management.url) }), { clock });
  const clusters = createWorkloadClusters(kubernetes, { clock });
  onTestFinished(async () => {
    await Promise.all([clusters.close(), kubernetes.close()]);
    await Promise.all([management.close(), workload.close()]);
  });
  const cluster = await clusters.of({ kind: 'cluster', namespace: 'default', clusterName: 'one' });
  const { items } = await cluster.list(pods, { fieldSelector: 'spec.nodeName=even' });
  const answers = await cluster.evictAll(items.map((pod) => ({ pod, gracePeriodSeconds: 0 })));

  expect(answers.size).toBe(150);
  expect(new Set([...answers.values()].map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  const left = await cluster.list(pods);
  expect(left.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)).toHaveLength(150);
});
