import type { Node } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import type { Infrastructure } from '../machines/machine-objects.ts';
import { byProviderId } from './nodes.ts';
import { nodeSilencer } from './silent-node.ts';

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
