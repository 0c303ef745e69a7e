import type { Instant } from '../../../../shared/time/clock.ts';
import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { isTerminating, keyOf, secondsFrom, toTime, uidOf } from '../machinery/objects.ts';
import { annotations } from '../machinery/settings.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import { type World } from '../machinery/world.ts';
import type { Vertex } from '../namespaces/garbage-collector.ts';
import { registerNode } from '../nodes/nodes.ts';
import { clusterApi, type Machine } from './apis.ts';
import { referenced } from './kinds.ts';

/**
 * Plays the providers and the controller of Cluster API's living Machines. Infrastructure may say how long it takes
 * to start: after that the Machine runs, with a Node. Others stay as they were loaded.
 */
export function clusterApiMachines(world: World): void {
  const machines = world.informer<Machine>(clusterApi.machines);
  const stopwatch = new Stopwatch(world.clock);

  const queue = world.queue('cluster-api-machines', (key) => {
    const machine = machines.get(key);
    if (machine === undefined || isTerminating(machine) || machine.status?.nodeRef !== undefined) return;
    const infrastructure = infrastructureOf(world, machine);
    const seconds = infrastructure && secondsFrom(infrastructure.object, annotations.startSeconds);
    if (infrastructure === undefined || seconds === undefined) return;
    const due = stopwatch.due(uidOf(machine), seconds);
    if (due > world.clock.now()) return queue.addAt(key, due);
    start(world, machine, infrastructure);
  });
  machines.follow(queue, (uid) => stopwatch.forget(uid));
}

function infrastructureOf(world: World, { metadata, spec }: Machine): Vertex | undefined {
  const found = referenced(world, metadata.namespace, spec?.infrastructureRef);
  return found?.object && { resource: found.resource, object: found.object };
}

function start(world: World, machine: Machine, { resource, object }: Vertex): void {
  const { name, namespace = '' } = machine.metadata;
  const providerID = `local://${name}`;
  const now = world.clock.now();
  world.patch(resource, object, { spec: { providerID } });
  world.writeStatus(resource, object, { initialization: { provisioned: true }, ready: true });
  const node = registerNode(world, {
    name,
    providerID,
    labels: machine.spec?.metadata?.labels ?? {},
    annotations: {
      'cluster.x-k8s.io/cluster-name': machine.spec?.clusterName ?? '',
      'cluster.x-k8s.io/cluster-namespace': namespace,
      'cluster.x-k8s.io/machine': name,
    },
  });
  world.patch(clusterApi.machines, machine, { spec: { providerID, bootstrap: { dataSecretName: name } } });
  const current = world.informer<Machine>(clusterApi.machines).get(keyOf(machine)) ?? machine;
  world.writeStatus(clusterApi.machines, machine, runningStatus(current, node, now));
}

const conditions: readonly [type: string, status: string, reason: string][] = [
  ['Available', 'True', 'Available'],
  ['Ready', 'True', 'Ready'],
  ['BootstrapConfigReady', 'True', 'Ready'],
  ['InfrastructureReady', 'True', 'Ready'],
  ['NodeHealthy', 'True', 'NodeHealthy'],
  ['NodeReady', 'True', 'NodeReady'],
  ['Updating', 'False', 'NotUpdating'],
  ['Paused', 'False', 'NotPaused'],
  ['Deleting', 'False', 'NotDeleting'],
];
const oldConditions = ['Ready', 'BootstrapReady', 'InfrastructureReady', 'NodeHealthy'];

/** What Cluster API says of a running Machine with a Node, at the version in which the Machine is kept. */
export function runningStatus({ apiVersion, metadata }: Machine, node: KubeObject, now: Instant): object {
  const lastTransitionTime = toTime(now);
  const observedGeneration = metadata.generation ?? 1;
  const current = conditions.map(([type, status, reason]) => ({
    type,
    status,
    reason,
    message: '',
    lastTransitionTime,
    observedGeneration,
  }));
  const old = oldConditions.map((type) => ({ type, status: 'True', lastTransitionTime }));
  const common = { phase: 'Running', lastUpdated: lastTransitionTime, observedGeneration };
  const { name } = node.metadata;
  if (apiVersion?.endsWith('/v1beta1') !== true) {
    return {
      ...common,
      nodeRef: { name },
      initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
      conditions: current,
      deprecated: { v1beta1: { conditions: old } },
    };
  }
  return {
    ...common,
    nodeRef: { apiVersion: 'v1', kind: 'Node', name, uid: uidOf(node) },
    bootstrapReady: true,
    infrastructureReady: true,
    conditions: old,
    v1beta2: { conditions: current },
  };
}
