import { describe, expect, it } from 'vitest';
import { startControllers } from '../../../../infra/local/controllers/index.ts';
import { isNodeReady } from '../../../../infra/local/controllers/nodes/nodes.ts';
import type { ExampleName } from '../../../../infra/local/examples/names.ts';
import { readExample } from '../../../../infra/local/examples/read-example.ts';
import type { Cluster } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { load } from '../../../../infra/local/load/load.ts';
import { createCloud } from '../../../../infra/local/provider/cloud.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

/** An example fleet a minute after its start, or after what was done to it then. */
async function settled(name: ExampleName, change?: (cluster: Cluster) => void) {
  const clock = new VirtualClock(Date.parse('2026-01-03T00:00:00Z'));
  const apiServer = createApiServer({ clock });
  const { cluster } = apiServer;
  const { notes, unknownOwners } = load(apiServer, await readExample(name), 'http://127.0.0.1:4711');
  const cloud = createCloud({ clock, random: () => 0.5 });
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  const stop = startControllers(cluster, clock, { cloud, unknownOwners, report });
  await clock.advance(60_000);
  change?.(cluster);
  if (change !== undefined) await clock.advance(60_000);
  stop();
  cloud.close();
  const namesOf = (resource: string) => cluster.list(resource).map(({ metadata }) => metadata.name);
  return { cluster, notes, reported, namesOf, unknownOwners };
}

describe.each<[ExampleName, string, string[]]>([
  ['capi', 'cluster.x-k8s.io', ['control-plane-1', 'worker-1', 'worker-2', 'worker-3']],
  [
    'openshift',
    'machine.openshift.io',
    ['master-1', 'master-2', 'master-3', 'worker-1', 'worker-2', 'worker-3'],
  ],
  ['v1alpha1', 'cluster.k8s.io', ['control-plane-1', 'worker-1', 'worker-2', 'worker-3']],
])('the example fleet of %s', (name, group, machines) => {
  it('stands still until something is deleted', async () => {
    const { cluster, namesOf, reported } = await settled(name);
    expect(reported).toEqual([]);
    expect(namesOf(`machines.${group}`)).toEqual(machines);
    expect(namesOf('nodes')).toEqual(machines);
    expect(cluster.list('nodes').every(isNodeReady)).toBe(true);
    const phases = cluster.list('pods').map((pod) => textAt(pod, 'status', 'phase'));
    expect([...new Set(phases)].filter((phase) => phase !== 'Succeeded')).toEqual(['Running']);
  });

  it('needs nothing that it does not have', async () => {
    const { notes, unknownOwners } = await settled(name);
    expect(notes).toEqual([]);
    expect(unknownOwners).toEqual(new Set());
  });
});

it('the example of Cluster API loses the Machine that was chosen when its set is scaled down', async () => {
  const { cluster } = await settled('capi', (running) => {
    const [set] = running.list('machinesets.cluster.x-k8s.io');
    const chosen = running.get('machines.cluster.x-k8s.io', 'fleet', 'worker-2')!;
    const annotations = { 'cluster.x-k8s.io/delete-machine': '' };
    running.patch('machines.cluster.x-k8s.io', chosen, { metadata: { annotations } });
    running.patch('machinesets.cluster.x-k8s.io', set!, { spec: { replicas: 2 } });
  });
  const deleted = cluster
    .list('machines.cluster.x-k8s.io')
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  expect(deleted.map(({ metadata }) => metadata.name)).toEqual(['worker-2']);
});

it('the example of OpenShift has a member of etcd on each control plane Node', async () => {
  const { cluster } = await settled('openshift');
  const members = cluster.list('pods', { namespace: 'openshift-etcd', labelSelector: 'app=etcd' });
  expect(members.map((pod) => textAt(pod, 'spec', 'nodeName')).toSorted()).toEqual([
    'master-1',
    'master-2',
    'master-3',
  ]);
});
