import type { MachineBlueprint } from '../blueprint.ts';
import type { Deed } from '../model.ts';

/** An admission webhook keeps the Node for a while, whatever else goes wrong or does not. */
export function keptNode({ host, node, nodeKeptSeconds: seconds }: MachineBlueprint): Deed[] {
  if (seconds === undefined || node === undefined) return [];
  const message = `admission webhook "nodes.inventory.example" denied the request: Node ${node} is still on the books`;
  const answer = { status: 403, reason: 'Forbidden', message };
  return [
    {
      at: 0,
      run(world) {
        let until: number | undefined;
        world.meddlers.onRequestForGood((exchange) => {
          const { verb, resource, name } = exchange;
          if (verb !== 'delete' || resource !== 'nodes' || name !== node || exchange.host !== host)
            return undefined;
          if (until === undefined)
            world.say('a webhook', `does not let ${node} of ${host} be deleted, for ${seconds} s`);
          until ??= world.now() + seconds * 1_000;
          return world.now() < until ? { answer } : undefined;
        });
      },
    },
  ];
}
