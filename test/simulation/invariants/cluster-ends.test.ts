import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { whyClusterEnds } from './sight/machine.ts';
import type { View } from './sight/past.ts';

const since = '2026-01-01T00:00:00Z';

const object = (kind: string, name: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind,
  metadata: { namespace: 'fleet', name, uid: name, ...metadata },
  spec: { clusterName: 'blue' },
});

const member = (name: string, metadata: object = {}): KubeObject => {
  const labels = { 'cluster.x-k8s.io/cluster-name': 'blue', 'cluster.x-k8s.io/control-plane': '' };
  return object('Machine', name, { labels, ...metadata });
};

const worker = object('Machine', 'worker', { deletionTimestamp: since });
const blue = object('Cluster', 'blue');

const viewOf = (cluster: KubeObject | undefined, machines: readonly KubeObject[]): View => ({
  get: () => cluster,
  list: () => machines,
});

const nobody = 'no control plane Machine is to stay';

test.each<[string, machine: KubeObject, cluster: KubeObject | undefined, KubeObject[], string | undefined]>([
  ['where a member lives', worker, blue, [member('cp-1')], undefined],
  ['where its only member goes', worker, blue, [member('cp-1', { deletionTimestamp: since })], nobody],
  ['where nobody is a member', worker, blue, [worker], nobody],
  ['for a member beside another', member('cp-1'), blue, [member('cp-1'), member('cp-2')], undefined],
  [
    'for its only member, which was not being deleted by then',
    member('cp-1'),
    blue,
    [member('cp-1')],
    nobody,
  ],
  ['where that lives in another namespace', worker, blue, [member('cp-1', { namespace: 'annex' })], nobody],
  ['that is not there', worker, undefined, [], undefined],
  [
    'that is being deleted',
    worker,
    object('Cluster', 'blue', { deletionTimestamp: since }),
    [member('cp-1')],
    'its Cluster is being deleted',
  ],
])('whether a Cluster ends: %s', (_which, machine, cluster, machines, why) => {
  expect(whyClusterEnds(viewOf(cluster, machines), machine)).toBe(why);
});
