import { providerFinalizer } from '../../../../infra/local/controllers/machines/infrastructure.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { resources } from '../../../stories/stage/fleet.ts';
import { management } from '../../platform/clusters.ts';
import type { World } from '../../world.ts';
import type { MachineBlueprint, ReferredBlueprint, Timeouts } from '../blueprint.ts';
import { createWithStatus } from './create.ts';

export const before = '2025-12-31T23:00:00Z';

const kinds = {
  infrastructure: 'GenericInfrastructureMachine',
  bootstrap: 'GenericBootstrapConfig',
} as const;
type Group = keyof typeof kinds;
const groups = ['infrastructure', 'bootstrap'] as const;

/** A Machine of Cluster API that runs, with what it refers to. */
export function buildCapiMachine(world: World, plan: MachineBlueprint, version: 'v1beta1' | 'v1beta2'): void {
  const cluster = world.cluster(management);
  for (const group of groups) {
    const referred = plan[group];
    if (referred !== undefined)
      createWithStatus(cluster, resources[group], referredObject(plan, group, referred));
  }
  const { cluster: clusterName = '', namespace, name } = plan;
  const labels = {
    'cluster.x-k8s.io/cluster-name': clusterName,
    ...(plan.isControlPlane && { 'cluster.x-k8s.io/control-plane': '' }),
    ...plan.labels,
  };
  const hooks = plan.hooks.map((hook) => [hook.name, hook.owner]);
  const annotations = { ...plan.annotations, ...Object.fromEntries(hooks) };
  const finalizers = [...plan.earlierFinalizers, 'machine.cluster.x-k8s.io', ...plan.finalizers];
  const body = version === 'v1beta1' ? asV1beta1(plan) : asV1beta2(plan);
  createWithStatus(cluster, resources.machines, {
    apiVersion: `cluster.x-k8s.io/${version}`,
    kind: 'Machine',
    metadata: { namespace, name, labels, annotations, finalizers },
    ...body,
  });
  if (plan.copyOf !== undefined) own(world, plan.namespace, plan.copyOf);
}

/** Cluster API has a Machine control what it refers to; it matters where another one refers to the same. */
function own({ management: cluster }: World, namespace: string, name: string): void {
  const owner = cluster.get(resources.machines, namespace, name);
  const { apiVersion = '', metadata: { uid = '' } = {} } = owner ?? {};
  const ownerReferences = [{ apiVersion, kind: 'Machine', name, uid, controller: true }];
  for (const group of groups) {
    const object = cluster.get(resources[group], namespace, name);
    if (object !== undefined) cluster.patch(resources[group], object, { metadata: { ownerReferences } });
  }
}

/** The finalizer is the provider's, who takes a while. */
function referredObject(
  { namespace, name, providerID }: Pick<MachineBlueprint, 'namespace' | 'name' | 'providerID'>,
  group: Group,
  { stopSeconds, neverStops, finalizers }: ReferredBlueprint,
): KubeObject {
  const annotations = {
    'local.phaseout.dev/stop-seconds': String(stopSeconds),
    ...(neverStops && { 'local.phaseout.dev/never-stops': 'true' }),
  };
  const held = stopSeconds > 0 || neverStops ? [providerFinalizer, ...finalizers] : [...finalizers];
  return {
    apiVersion: `${group}.cluster.x-k8s.io/v1beta2`,
    kind: kinds[group],
    metadata: { namespace, name, annotations, finalizers: held },
    spec: group === 'infrastructure' ? { providerID } : {},
    status: {
      initialization: { provisioned: true, dataSecretCreated: true },
      conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '' }],
    },
  };
}

const conditions = ['Available', 'Ready', 'BootstrapConfigReady', 'InfrastructureReady'].map((type) => {
  const reason = type === 'Available' ? 'Available' : 'Ready';
  return { type, status: 'True', reason, message: '', lastTransitionTime: before };
});
const oldConditions = ['Ready', 'BootstrapReady', 'InfrastructureReady', 'NodeHealthy'].map((type) => ({
  type,
  status: 'True',
  lastTransitionTime: before,
}));

/** A Machine that does not control its server does not name it. */
const providerIdOf = ({ providerID, copyOf }: MachineBlueprint): object =>
  copyOf === undefined ? { providerID } : {};

function asV1beta2(plan: MachineBlueprint): object {
  const refersTo = (group: Group) => ({
    apiGroup: `${group}.cluster.x-k8s.io`,
    kind: kinds[group],
    name: plan.copyOf ?? plan.name,
  });
  const deletion = timeoutsV1beta2(plan.timeouts);
  return {
    spec: {
      bootstrap: { configRef: refersTo('bootstrap'), dataSecretName: plan.name },
      infrastructureRef: refersTo('infrastructure'),
      clusterName: plan.cluster,
      ...providerIdOf(plan),
      version: 'v1.36.2',
      ...(Object.keys(deletion).length > 0 && { deletion }),
    },
    status: {
      conditions,
      deprecated: { v1beta1: { conditions: oldConditions } },
      initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
      ...(plan.hasNodeRef && { nodeRef: { name: plan.node } }),
      observedGeneration: 1,
      phase: 'Running',
    },
  };
}

export const timeoutsV1beta2 = ({ drain, volumes, node }: Timeouts) => ({
  ...(drain !== undefined && { nodeDrainTimeoutSeconds: drain }),
  ...(volumes !== undefined && { nodeVolumeDetachTimeoutSeconds: volumes }),
  ...(node !== undefined && { nodeDeletionTimeoutSeconds: node }),
});

export const timeoutsV1beta1 = ({ drain, volumes, node }: Timeouts) => ({
  ...(drain !== undefined && { nodeDrainTimeout: `${drain}s` }),
  ...(volumes !== undefined && { nodeVolumeDetachTimeout: `${volumes}s` }),
  ...(node !== undefined && { nodeDeletionTimeout: `${node}s` }),
});

function asV1beta1(plan: MachineBlueprint): object {
  const { namespace, name } = plan;
  const refersTo = (group: Group) => ({
    apiVersion: `${group}.cluster.x-k8s.io/v1beta1`,
    kind: kinds[group],
    namespace,
    name: plan.copyOf ?? name,
  });
  return {
    spec: {
      bootstrap: { configRef: refersTo('bootstrap'), dataSecretName: name },
      infrastructureRef: refersTo('infrastructure'),
      clusterName: plan.cluster,
      ...providerIdOf(plan),
      version: 'v1.36.2',
      ...timeoutsV1beta1(plan.timeouts),
    },
    status: {
      conditions: oldConditions,
      v1beta2: { conditions },
      bootstrapReady: true,
      infrastructureReady: true,
      ...(plan.hasNodeRef && { nodeRef: { apiVersion: 'v1', kind: 'Node', name: plan.node } }),
      observedGeneration: 1,
      phase: 'Running',
    },
  };
}
