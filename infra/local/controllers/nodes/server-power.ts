import { type Node, withConditions } from '../machinery/objects.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import { type World } from '../machinery/world.ts';
import type { Infrastructure } from '../machines/apis.ts';
import { byProviderId, isUnreachable } from './nodes.ts';

const group = '.infrastructure.cluster.x-k8s.io';

/** Nodes whose infrastructure is gone stop answering a moment later. */
export function serverPower(world: World): void {
  const silence = nodeSilencer(world, 'server-power');
  world.informers.each((informer) => {
    if (!informer.resource.endsWith(group)) return;
    informer.onChange(({ before, after }) => {
      if (before === undefined || after !== undefined) return;
      const node = nodeOf(world, before);
      if (node !== undefined) silence(node.metadata.name);
    });
  });
}

function nodeOf(world: World, gone: Infrastructure): Node | undefined {
  const nodes = world.informer<Node>('nodes');
  const providerId = gone.spec?.providerID;
  const [node] = providerId ? nodes.in(byProviderId, providerId) : [];
  return node ?? nodes.get(gone.metadata.name);
}

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
    const conditions = withConditions(node.status?.conditions, silent, world.clock.now());
    world.writeStatus('nodes', node, { conditions });
  });
  return (nodeName) => queue.add(nodeName);
}

const silent = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
  type,
  status: 'Unknown',
  reason: 'NodeStatusUnknown',
  message: 'Kubelet stopped posting node status.',
}));
