import { kubeconfigOf } from '../../../stories/stage/carriage.ts';
import { resources } from '../../../stories/stage/fleet.ts';
import { clusters as originalClusters } from '../../../stories/stage/v1alpha1.ts';
import { management } from '../../platform/clusters.ts';
import type { World } from '../../world.ts';
import type { Blueprint, ClusterBlueprint, MachineBlueprint } from '../blueprint.ts';
import { buildCapiMachine } from './capi-machine.ts';
import { createWithStatus } from './create.ts';
import { linkPower } from './power.ts';
import { buildLeftover, buildOpenShiftMachine, buildOriginalMachine } from './provider-machines.ts';
import { buildWorkloads } from './workloads.ts';

type Version = 'v1beta1' | 'v1beta2';

/** Makes all that a blueprint says; `version` is that of Cluster API. */
export function build(world: World, blueprint: Blueprint, version: Version): void {
  buildNamespaces(world, blueprint);
  for (const cluster of blueprint.clusters) buildCluster(world, cluster, version);
  for (const { namespace, name, spec } of blueprint.rules) {
    const apiVersion = `cluster.x-k8s.io/${version}`;
    const metadata = { namespace, name };
    world.management.create(resources.rules, { apiVersion, kind: 'MachineDrainRule', metadata, spec });
  }
  buildWorkloads(world, blueprint);
  for (const machine of blueprint.machines) {
    if (machine.server?.hasLeftover === true) buildLeftover(world, machine);
    if (machine.server?.madeAt === undefined) buildMachine(world, machine, version);
  }
  linkPower(world, blueprint);
}

function buildNamespaces(world: World, { clusters, machines, pods, sets, volumes }: Blueprint): void {
  const wanted = [
    ...[...clusters, ...machines].map(({ namespace }) => [management, namespace]),
    ...[...pods, ...sets, ...volumes].map(({ host, namespace }) => [host, namespace]),
  ];
  const known = new Set<string>();
  for (const [host = '', name = ''] of wanted) {
    const key = `${host}/${name}`;
    if (known.has(key) || world.cluster(host).get('namespaces', undefined, name) !== undefined) continue;
    known.add(key);
    world.cluster(host).create('namespaces', { metadata: { name, labels: { team: name } } });
  }
}

function buildMachine(world: World, machine: MachineBlueprint, version: Version): void {
  if (machine.api === 'capi') buildCapiMachine(world, machine, version);
  else if (machine.api === 'openshift') buildOpenShiftMachine(world, machine);
  else buildOriginalMachine(world, machine);
}

/** With the Secret that leads to its Nodes. */
function buildCluster(world: World, plan: ClusterBlueprint, version: Version): void {
  const { api, namespace, name, host, controlPlane, isPaused } = plan;
  const metadata = { namespace, name };
  const apiVersion = api === 'capi' ? `cluster.x-k8s.io/${version}` : 'cluster.k8s.io/v1alpha1';
  const external = controlPlane === 'external';
  if (external) buildControlPlane(world, plan);
  const spec = {
    ...(isPaused && { paused: true }),
    ...(external && { controlPlaneRef: controlPlaneRef(plan, version) }),
  };
  world.management.create(api === 'capi' ? resources.clusters : originalClusters, {
    apiVersion,
    kind: 'Cluster',
    metadata: { ...metadata, labels: { site: host } },
    spec,
  });
  world.management.create('secrets', secretFor(plan));
}

export function secretFor({ namespace, name, host }: Pick<ClusterBlueprint, 'namespace' | 'name' | 'host'>) {
  const data = { value: Buffer.from(kubeconfigOf(host)).toString('base64') };
  const metadata = { namespace, name: `${name}-kubeconfig` };
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data };
}

const controlPlaneKind = 'GenericControlPlane';

const controlPlaneRef = ({ namespace, name }: ClusterBlueprint, version: Version): object =>
  version === 'v1beta2'
    ? { apiGroup: 'controlplane.cluster.x-k8s.io', kind: controlPlaneKind, name }
    : { apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1', kind: controlPlaneKind, name, namespace };

function buildControlPlane(world: World, { namespace, name }: ClusterBlueprint): void {
  createWithStatus(world.management, resources.controlPlanes, {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: controlPlaneKind,
    metadata: { namespace, name },
    spec: {},
    status: { externalManagedControlPlane: true },
  });
}
