import type { Exchange } from '../../wire/exchange.ts';
import { refusals } from '../../wire/invented.ts';
import type { MachineBlueprint } from '../blueprint.ts';
import type { Deed } from '../model.ts';

/** As long as an API is flooded each time. It asks for longer. */
const floodedMilliseconds = 3_000;

/** A client that comes again within that time gets the same answer. It ends with the calm. */
export function heldOff(plan: MachineBlueprint): Deed[] {
  const { heldOff: held } = plan;
  if (held === undefined) return [];
  return [
    {
      at: 0,
      run(world) {
        let times = 0;
        let since = -Infinity;
        world.meddlers.onRequest((exchange) => {
          if (!exchange.instance.startsWith('instance-') || !isIt(exchange, plan, held.what))
            return undefined;
          const isFlooded = world.now() - since < floodedMilliseconds;
          if (!isFlooded) times += 1;
          if (!isFlooded && times < held.times) return undefined;
          if (!isFlooded) {
            [times, since] = [0, world.now()];
            world.say('the API', `wants to be left alone about ${held.what} of ${plan.name}`);
          }
          world.hit('throttled-with-retry-after', exchange.instance);
          return { answer: refusals.throttledForLong };
        });
      },
    },
  ];
}

function isIt(
  { verb, resource, host, namespace, name, query }: Exchange,
  plan: MachineBlueprint,
  what: string,
): boolean {
  if (what === 'pods')
    return (
      resource === 'pods' &&
      verb === 'list' &&
      host === plan.host &&
      query['fieldSelector'] === `spec.nodeName=${plan.node}`
    );
  if (verb !== 'get') return false;
  if (what === 'node') return resource === 'nodes' && host === plan.host && name === plan.node;
  return resource.includes('.infrastructure.') && namespace === plan.namespace && name === plan.name;
}
