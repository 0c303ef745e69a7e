import type { World } from '../../world.ts';
import type { MachineBlueprint } from '../blueprint.ts';
import { buildOriginalMachine } from '../build/provider-machines.ts';
import type { Deed } from '../model.ts';

/** A user makes a Machine, whose server does not exist yet. */
export function made(machine: MachineBlueprint): Deed[] {
  const { server, namespace, name } = machine;
  if (server?.madeAt === undefined) return [];
  return [
    {
      at: server.madeAt,
      run(world) {
        buildOriginalMachine(world, machine);
        world.say('a user', `makes the Machine ${namespace}/${name}`);
      },
    },
  ];
}

/** A living Machine without changes brings no events. */
export function stirred({ resource, namespace, name, labelledAt }: MachineBlueprint): Deed[] {
  if (labelledAt === undefined) return [];
  const change = (world: World, object: object, subresource?: 'status'): void => {
    const machine = world.management.get(resource, namespace, name);
    if (machine === undefined) return;
    world.management.patch(resource, machine, object, subresource);
    world.say('a user', `changes the ${subresource ?? 'labels'} of the Machine ${namespace}/${name}`);
  };
  const label: Deed = {
    at: labelledAt,
    run: (world) => change(world, { metadata: { labels: { seen: 'yes' } } }),
  };
  const statuses = [3_000, 10_000].map((after) => ({
    at: labelledAt + after,
    run: (world: World) =>
      change(
        world,
        { status: { lastOperation: { lastUpdated: new Date(world.now()).toISOString() } } },
        'status',
      ),
  }));
  return [label, ...statuses];
}
