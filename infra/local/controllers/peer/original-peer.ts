import { askingQueue } from '../machinery/asking-queue.ts';
import { isTerminating, keyOf, type Node } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { type Machine, v1alpha1 } from '../machines/apis.ts';

const finalizer = 'machine.cluster.k8s.io';

/** After a refusal of the provider. */
const againSeconds = 30;

/**
 * Plays the controller of v1alpha1's Machines where `peer` is set. Once its provider has accepted the server's end,
 * it deletes the Node and removes its finalizer. It drains nothing, and shows nothing. Without a cloud there is no
 * server.
 */
export function originalPeer(world: World): void {
  if (!world.settings.peer) return;
  const { cloud } = world.settings;
  const machines = world.informer<Machine>(v1alpha1.machines);
  const nodes = world.informer<Node>('nodes');

  const queue = askingQueue(world, 'original-peer', async (key) => {
    const machine = machines.get(key);
    if (machine === undefined || !isTerminating(machine)) return;
    if (machine.metadata.finalizers?.includes(finalizer) !== true) return;
    const answer = await cloud?.delete({ machine, cluster: undefined });
    if (answer !== undefined && answer.kind !== 'accepted') {
      const seconds = answer.kind === 'retry' ? answer.afterSeconds : againSeconds;
      // A server that is due to be gone in this very moment has no second left.
      return queue.addAt(key, world.clock.now() + Math.max(1, seconds) * 1_000);
    }
    const node = nodes.get(machine.status?.nodeRef?.name ?? '');
    if (node !== undefined && !isTerminating(node)) world.remove('nodes', node);
    world.dropFinalizer(v1alpha1.machines, machines.get(key) ?? machine, finalizer);
  });
  machines.onChange(({ after }) => {
    if (after !== undefined) queue.add(keyOf(after));
  });
}
