import {
  conditionOf,
  isTerminating,
  keyOf,
  type Node,
  type Pod,
  withCondition,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { byNode, unbound } from '../workloads/pods.ts';
import { isNodeReady, isSelected, isTolerated } from './nodes.ts';

/** Binds Pods to the Ready, schedulable Node with the fewest Pods. */
export function scheduler(world: World): void {
  const pods = world.informer<Pod>('pods');
  const nodes = world.informer<Node>('nodes');

  const queue = world.queue('scheduler', (key) => {
    const pod = pods.get(key);
    if (pod === undefined || !isWaitingForNode(pod)) return;
    const fitting = [...nodes.all()].filter((node) => fits(pod, node));
    const load = (node: Node): number => pods.count(byNode, node.metadata.name);
    const chosen = fitting.reduce<Node | undefined>(
      (best, node) => (best === undefined || load(node) < load(best) ? node : best),
      undefined,
    );
    if (chosen === undefined) return reportUnschedulable(world, pod, nodes.size);
    world.bind(pod, chosen.metadata.name);
  });

  pods.onChange(({ key, after }) => {
    if (after !== undefined && isWaitingForNode(after)) queue.add(key);
  });
  nodes.onChange(() => {
    for (const pod of pods.in(byNode, unbound)) queue.add(keyOf(pod));
  });
}

function isWaitingForNode(pod: Pod): boolean {
  const isGated = (pod.spec?.schedulingGates ?? []).length > 0;
  return (pod.spec?.nodeName ?? unbound) === unbound && !isTerminating(pod) && !isGated;
}

function fits(pod: Pod, node: Node): boolean {
  if (!isNodeReady(node) || isTerminating(node)) return false;
  return isSelected(pod.spec?.nodeSelector, node) && isTolerated(node, pod.spec?.tolerations);
}

function reportUnschedulable(world: World, pod: Pod, nodeCount: number): void {
  const before = conditionOf(pod.status?.conditions, 'PodScheduled');
  const message = `0/${nodeCount} nodes are available: none is Ready, schedulable, tolerated and selected.`;
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
  if (before?.status === 'False' && before.message === message) return;
  const conditions = withCondition(pod.status?.conditions, condition, world.clock.now());
  world.writeStatus('pods', pod, { conditions });
}
