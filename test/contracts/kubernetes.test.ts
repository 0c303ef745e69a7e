import { afterAll, beforeAll, describe } from 'vitest';
import { machines } from '../../infra/local/kubernetes/crds/cluster-api.ts';
import { createApiServer } from '../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../infra/local/kubernetes/server/http.ts';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { deleting } from './kubernetes/deleting.ts';
import { discovering } from './kubernetes/discovering.ts';
import { evicting } from './kubernetes/evicting.ts';
import { leasing } from './kubernetes/leasing.ts';
import { reading } from './kubernetes/reading.ts';
import type { KubernetesUnderTest } from './kubernetes/under-test.ts';
import { watching } from './kubernetes/watching.ts';
import { writing } from './kubernetes/writing.ts';

async function overHttp(): Promise<KubernetesUnderTest> {
  const apiServer = createApiServer({ clock: systemClock });
  apiServer.cluster.create('customresourcedefinitions.apiextensions.k8s.io', machines);
  const server = await listen(apiServer);
  const kubeConfig = {
    clusters: [{ name: 'c', cluster: { server: server.url } }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    'current-context': 'x',
  };
  const kubernetes = connect(loadKubeConfig({ text: JSON.stringify(kubeConfig) }), { clock: systemClock });
  return {
    kubernetes,
    seed: (resource, object) => apiServer.cluster.create(resource, object),
    compact: () => apiServer.compact(),
    stop: async () => {
      await kubernetes.close();
      await server.close();
    },
  };
}

describe('the Kubernetes port, over HTTP', () => {
  let under: KubernetesUnderTest;
  const given = (): KubernetesUnderTest => under;

  beforeAll(async () => {
    under = await overHttp();
  });
  afterAll(() => under.stop());

  for (const promised of [reading, writing, deleting, leasing, evicting, watching, discovering])
    promised(given);
});
