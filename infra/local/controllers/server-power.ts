import { withCondition } from './conditions.ts';
import { byProviderId, isUnreachable } from './nodes.ts';
import type { Condition, Infrastructure, Node } from './objects.ts';
import { Stopwatch } from './stopwatch.ts';
import type { World } from './world.ts';

const group = '.infrastructure.cluster.x-k8s.io';

/** Nodes whose infrastructure is gone stop answering a moment later: nobody reports their state any more. */
export function serverPower(world: World): void {
  const nodes = world.informer<Node>('nodes');
  const stopwatch = new Stopwatch(world.clock);

  const queue = world.queue('server-power', (key) => {
    const node = nodes.get(key);
    if (node === undefined || isUnreachable(node)) return stopwatch.forget(key);
    const due = stopwatch.due(key, world.settings.nodeUnknownSeconds);
    if (due > world.clock.now()) return queue.addAt(key, due);
    stopwatch.forget(key);
    world.patch(
      'nodes',
      node,
      { status: { conditions: silentConditions(node, world.clock.now()) } },
      'status',
    );
  });

  world.informers.each((informer) => {
    if (!informer.resource.endsWith(group)) return;
    informer.onChange(({ before, after }) => {
      if (before === undefined || after !== undefined) return;
      const node = nodeOf(world, before);
      if (node !== undefined) queue.add(node.metadata.name);
    });
  });
}

function nodeOf(world: World, gone: Infrastructure): Node | undefined {
  const nodes = world.informer<Node>('nodes');
  const providerId = gone.spec?.providerID;
  const [node] = providerId ? nodes.in(byProviderId, providerId) : [];
  return node ?? nodes.get(gone.metadata.name);
}

function silentConditions(node: Node, now: number): Condition[] {
  const message = 'Kubelet stopped posting node status.';
  return ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].reduce<Condition[]>(
    (list, type) =>
      withCondition(list, { type, status: 'Unknown', reason: 'NodeStatusUnknown', message }, now),
    node.status?.conditions ?? [],
  );
}
