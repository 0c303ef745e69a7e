import { conditionOf, type Node, type Taint, toTime } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isNodeReady, isUnreachable } from './nodes.ts';

const unschedulable = 'node.kubernetes.io/unschedulable';
const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';

/** Keeps the NoSchedule taints that say what a Node's spec and conditions say. Nothing is evicted. */
export function nodeTaints(world: World): void {
  const nodes = world.informer<Node>('nodes');
  const queue = world.queue('node-taints', (key) => {
    const node = nodes.get(key);
    if (node === undefined) return;
    const before = node.spec?.taints ?? [];
    const wanted = wantedKeys(node);
    const kept = before.filter((taint) => !isManaged(taint) || wanted.includes(taint.key));
    const missing = wanted.filter((taint) => !kept.some((other) => isManaged(other) && other.key === taint));
    if (missing.length === 0 && kept.length === before.length) return;
    const timeAdded = toTime(world.clock.now());
    const added = missing.map((taint): Taint => ({ key: taint, effect: 'NoSchedule', timeAdded }));
    const taints = [...kept, ...added];
    world.patchUnchanged('nodes', node, { spec: { taints: taints.length > 0 ? taints : null } });
  });
  nodes.onChange(({ key }) => queue.add(key));
}

function isManaged(taint: Taint): boolean {
  return taint.effect === 'NoSchedule' && [unschedulable, notReady, unreachable].includes(taint.key);
}

function wantedKeys(node: Node): string[] {
  const wanted = node.spec?.unschedulable ? [unschedulable] : [];
  if (isUnreachable(node)) return [...wanted, unreachable];
  // A Node that has never reported keeps the taint it was created with.
  const hasReported = conditionOf(node.status?.conditions, 'Ready') !== undefined;
  const isMarked = (node.spec?.taints ?? []).some((taint) => taint.key === notReady);
  const isNotReady = hasReported ? !isNodeReady(node) : isMarked;
  return isNotReady ? [...wanted, notReady] : wanted;
}
