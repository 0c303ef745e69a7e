import {
  isTerminating,
  keyOf,
  type Node,
  type Pod,
  type PodDisruptionBudget,
} from '../../../../infra/local/controllers/machinery/objects.ts';
import { annotations } from '../../../../infra/local/controllers/machinery/settings.ts';
import type { Controller, World } from '../../../../infra/local/controllers/machinery/world.ts';
import { type Machine, openShift } from '../../../../infra/local/controllers/machines/apis.ts';
import {
  hasEtcdHook,
  isControlPlane,
  isMember,
  etcdNamespace as namespace,
} from '../../../../infra/local/controllers/machines/etcd-quorum.ts';
import { byNode } from '../../../../infra/local/controllers/workloads/pods.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';

const everything = 'guards';
const budgets = 'poddisruptionbudgets.policy';
const matchLabels = { app: 'guard' };
/** What deletes guards watches no Node: it looks as a Machine changes, and each minute. */
const againMilliseconds = 60_000;

/**
 * The guards of etcd's operator, as much as a story needs. Each control plane Node that takes Pods has a guard. A guard
 * is as ready as the member of etcd there, and all but one must be. The operator deletes the guard of a Machine under
 * deletion without the hook of etcd, whatever the budget allows. It waits until the Node is cordoned: before that the
 * guard would only be made again.
 */
export const etcdGuards: Controller = (world) => {
  keepGuards(world);
  deleteGuards(world);
};

function keepGuards(world: World): void {
  const nodes = world.informer<Node>('nodes');
  const pods = world.informer<Pod>('pods');
  const queue = world.queue('etcd-guards', () => {
    const masters = [...nodes.all()].filter(isMaster);
    keepBudget(world, masters.length - 1);
    for (const node of masters) {
      const member = pods.in(byNode, node.metadata.name).find(isMember);
      const guard = member && guardBeside(member, node);
      if (guard !== undefined && !isTainted(node) && pods.get(keyOf(guard)) === undefined)
        world.create('pods', guard);
    }
  });
  nodes.onChange(() => queue.add(everything));
  pods.onChange(() => queue.add(everything));
}

function deleteGuards(world: World): void {
  const machines = world.informer<Machine>(openShift.machines);
  const pods = world.informer<Pod>('pods');
  const queue = world.queue('etcd-guards-of-deleted', () => {
    queue.addAt(everything, world.clock.now() + againMilliseconds);
    for (const machine of machines.all()) {
      if (!isControlPlane(machine) || !isTerminating(machine) || hasEtcdHook(machine)) continue;
      const node = world.informer<Node>('nodes').get(machine.status?.nodeRef?.name ?? '');
      if (node?.spec?.unschedulable !== true) continue;
      for (const pod of pods.in(byNode, node.metadata.name).filter(isGuard)) world.remove('pods', pod);
    }
  });
  machines.onChange(() => queue.add(everything));
}

const isMaster = ({ metadata }: Node): boolean =>
  metadata.labels?.['node-role.kubernetes.io/master'] !== undefined;

const isTainted = ({ spec }: Node): boolean =>
  (spec?.taints ?? []).some(({ key }) => key === 'node.kubernetes.io/unschedulable');

const isGuard = (pod: Pod): boolean =>
  pod.metadata.namespace === namespace &&
  pod.metadata.labels?.['app'] === matchLabels.app &&
  !isTerminating(pod);

function guardBeside(member: Pod, { metadata: { name } }: Node): KubeObject {
  const seconds = member.metadata.annotations?.[annotations.readySeconds];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `etcd-guard-${name}`,
      namespace,
      labels: matchLabels,
      annotations: seconds === undefined ? {} : { [annotations.readySeconds]: seconds },
    },
    spec: {
      nodeName: name,
      tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }],
      containers: [{ name: 'guard', image: 'registry.example/guard:1' }],
    },
  };
}

function keepBudget(world: World, minAvailable: number): void {
  const name = 'etcd-guard-pdb';
  const budget = world.informer<PodDisruptionBudget>(budgets).get(`${namespace}/${name}`);
  if (budget?.spec?.minAvailable === minAvailable) return;
  const spec = { minAvailable, selector: { matchLabels } };
  if (budget !== undefined) return world.patch(budgets, budget, { spec });
  world.create(budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace },
    spec,
  });
}
