import type { MachineBlueprint } from '../blueprint.ts';
import { buildOriginalMachine } from '../build/provider-machines.ts';
import type { Deed } from '../model.ts';

/** A user makes a Machine, whose server nobody has made yet. */
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
