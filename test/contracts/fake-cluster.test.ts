import { describe } from 'vitest';
import { FakeCluster } from '../builders/fake-cluster.ts';
import { deleting } from './kubernetes/deleting.ts';
import { leasing } from './kubernetes/leasing.ts';
import type { KubernetesUnderTest } from './kubernetes/under-test.ts';
import { writing } from './kubernetes/writing.ts';

/** What unit tests write to keeps what the real API promises of writes and deletes. */
describe('the Kubernetes port, faked for unit tests', () => {
  const kubernetes = new FakeCluster([]);
  const under: KubernetesUnderTest = {
    kubernetes,
    seed: (resource, object) => kubernetes.put(resource, object),
    compact: () => undefined,
    stop: async () => undefined,
  };
  for (const promised of [writing, deleting, leasing]) promised(() => under);
});
