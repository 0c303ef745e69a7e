import type { World } from '../world.ts';

export const machines = 'machines.cluster.x-k8s.io';
/** The Machine that is being deleted. */
export const fleet = { namespace: 'fleet', name: 'm1' };

/** Three Machines of a Cluster with two Nodes. */
export function buildStage(world: World): void {
  const { management: cluster } = world;
  const blue = world.cluster('blue');
  cluster.create('namespaces', { metadata: { name: 'fleet' } });
  blue.create('namespaces', { metadata: { name: 'shop' } });
  cluster.create('clusters.cluster.x-k8s.io', {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { namespace: 'fleet', name: 'blue' },
    spec: { infrastructureRef: reference('infrastructure', 'GenericInfrastructureCluster', 'blue') },
  });
  createMachine(world, 'cp', { 'cluster.x-k8s.io/control-plane': '' });
  for (const name of ['m1', 'm2']) createMachine(world, name, {});
  for (const name of ['node-1', 'node-2'])
    blue.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} });
  for (const name of ['m1', 'm2'])
    cluster.create('genericinfrastructuremachines.infrastructure.cluster.x-k8s.io', {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'GenericInfrastructureMachine',
      metadata: { namespace: 'fleet', name, finalizers: ['example.com/held'] },
      spec: {},
    });
  cluster.remove(machines, { metadata: fleet });
}

const reference = (group: string, kind: string, name: string) => ({
  apiGroup: `${group}.cluster.x-k8s.io`,
  kind,
  name,
});

function createMachine({ management: cluster }: World, name: string, labels: Record<string, string>): void {
  const made = cluster.create(machines, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      namespace: 'fleet',
      name,
      labels: { 'cluster.x-k8s.io/cluster-name': 'blue', ...labels },
      finalizers: ['example.com/other', 'machine.cluster.x-k8s.io'],
    },
    spec: {
      clusterName: 'blue',
      bootstrap: { dataSecretName: 'none' },
      infrastructureRef: reference('infrastructure', 'GenericInfrastructureMachine', name),
      deletion: { nodeDrainTimeoutSeconds: 60 },
    },
  });
  const node = `node-${name.slice(1)}`;
  cluster.patch(machines, made, { status: { nodeRef: { name: node } } }, 'status');
}
