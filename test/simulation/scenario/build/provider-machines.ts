import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { machines as openShiftMachines } from '../../../stories/stage/openshift.ts';
import { clusters, machines as originalMachines } from '../../../stories/stage/v1alpha1.ts';
import type { World } from '../../world.ts';
import type { HookPoint, MachineBlueprint } from '../blueprint.ts';
import { before } from './capi-machine.ts';
import { createWithStatus } from './create.ts';

/** A Machine of OpenShift that runs, with its server. */
export function buildOpenShiftMachine(world: World, plan: MachineBlueprint): void {
  const { namespace, name } = plan;
  const role = plan.isControlPlane ? 'master' : 'worker';
  const hooks = { preDrain: hooksOf(plan, 'pre-drain'), preTerminate: hooksOf(plan, 'pre-terminate') };
  const created = createWithStatus(world.management, openShiftMachines, {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      namespace,
      name,
      labels: {
        'machine.openshift.io/cluster-api-cluster': 'shop-x7k2p',
        'machine.openshift.io/cluster-api-machine-role': role,
        ...plan.labels,
      },
      annotations: { ...plan.annotations },
      finalizers: [...plan.earlierFinalizers, 'machine.machine.openshift.io', ...plan.finalizers],
    },
    spec: {
      lifecycleHooks: Object.fromEntries(Object.entries(hooks).filter(([, list]) => list.length > 0)),
      metadata: {},
      ...providerIdOf(plan),
      providerSpec: { value: { kind: 'LocalMachineProviderConfig' } },
    },
    status: { lastUpdated: before, ...statusOf(world, plan) },
  });
  buildServer(world, plan, created);
}

const hooksOf = ({ hooks }: MachineBlueprint, point: HookPoint) =>
  hooks.filter((hook) => hook.point === point).map(({ name, owner }) => ({ name, owner }));

/** A running Machine of v1alpha1 with its server. One that a user makes later has neither owner nor finalizer of ours. */
export function buildOriginalMachine(world: World, plan: MachineBlueprint): void {
  const { namespace, name, cluster } = plan;
  const isKnown = plan.server?.madeAt === undefined;
  const owner = cluster === undefined ? undefined : world.management.get(clusters, namespace, cluster);
  const apiVersion = 'cluster.k8s.io/v1alpha1';
  const created = createWithStatus(world.management, originalMachines, {
    apiVersion,
    kind: 'Machine',
    metadata: {
      namespace,
      name,
      labels: { ...(cluster !== undefined && { 'cluster.k8s.io/cluster-name': cluster }), ...plan.labels },
      annotations: { ...plan.annotations },
      finalizers: [
        ...plan.earlierFinalizers,
        ...(cluster === undefined || !isKnown ? [] : ['foregroundDeletion']),
        ...(isKnown ? ['machine.cluster.k8s.io'] : []),
        ...plan.finalizers,
      ],
      ownerReferences:
        owner === undefined || !isKnown
          ? []
          : [
              {
                apiVersion,
                kind: 'Cluster',
                name: owner.metadata.name,
                uid: owner.metadata.uid ?? '',
                blockOwnerDeletion: true,
              },
            ],
    },
    spec: {
      metadata: {},
      ...providerIdOf(plan),
      providerSpec: { value: { size: 'small' } },
      versions: { kubelet: '1.15.3', ...(plan.isControlPlane && { controlPlane: '1.15.3' }) },
    },
    status: statusOf(world, plan),
  });
  buildServer(world, plan, created);
}

const isMade = ({ server }: MachineBlueprint): boolean => server?.state !== 'not made';

const providerIdOf = (plan: MachineBlueprint): object =>
  isMade(plan) ? { providerID: plan.providerID } : {};

const statusOf = (world: World, plan: MachineBlueprint): object =>
  isMade(plan)
    ? {
        addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
        phase: 'Running',
        ...nodeRefOf(world, plan),
      }
    : {};

/** Runs at the beginning, if its state has it run. */
function buildServer({ cloud }: World, { server }: MachineBlueprint, machine: KubeObject): void {
  if (server === undefined || server.state === 'running') cloud.adopt(machine);
}

/** Of an earlier Machine of this name: it has another UID, as its server has another providerID. */
export function buildLeftover({ cloud }: World, { namespace, name, providerID }: MachineBlueprint): void {
  const metadata = { namespace, name, uid: `earlier-${namespace}-${name}` };
  cloud.adopt({ metadata, spec: { providerID: `${providerID}-earlier` } });
}

/** These APIs name the Node's UID too. */
function nodeRefOf(world: World, { host, node, hasNodeRef, isNodeTaken = false }: MachineBlueprint): object {
  if (!hasNodeRef || node === undefined) return {};
  const known = isNodeTaken ? undefined : world.cluster(host).get('nodes', undefined, node);
  const uid = known?.metadata.uid ?? `uid-of-${node}`;
  return { nodeRef: { kind: 'Node', name: node, uid } };
}
