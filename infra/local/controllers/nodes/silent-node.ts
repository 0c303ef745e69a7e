import { withCondition } from '../machinery/conditions.ts';
import type { Condition, Node } from '../machinery/objects.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import type { World } from '../machinery/world.ts';
import { isUnreachable } from './nodes.ts';

/** Called with each Node that has lost its server. A moment later its kubelet reports no state any more. */
export function nodeSilencer(world: World, name: string): (nodeName: string) => void {
  const nodes = world.informer<Node>('nodes');
  const stopwatch = new Stopwatch(world.clock);

  const queue = world.queue(name, (key) => {
    const node = nodes.get(key);
    if (node === undefined || isUnreachable(node)) return stopwatch.forget(key);
    const due = stopwatch.due(key, world.settings.nodeUnknownSeconds);
    if (due > world.clock.now()) return queue.addAt(key, due);
    stopwatch.forget(key);
    const conditions = silentConditions(node, world.clock.now());
    world.patch('nodes', node, { status: { conditions } }, 'status');
  });
  return (nodeName) => queue.add(nodeName);
}

function silentConditions(node: Node, now: number): Condition[] {
  const message = 'Kubelet stopped posting node status.';
  return ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].reduce<Condition[]>(
    (list, type) =>
      withCondition(list, { type, status: 'Unknown', reason: 'NodeStatusUnknown', message }, now),
    node.status?.conditions ?? [],
  );
}
