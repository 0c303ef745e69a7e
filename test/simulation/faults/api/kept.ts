import type { Exchange } from '../../wire/exchange.ts';
import type { Meddling } from '../../wire/meddling.ts';
import type { Fault } from '../fault.ts';
import { meddlingFault } from '../meddling.ts';

const messageOf = ({ name }: Exchange): string =>
  `admission webhook "nodes.inventory.example" denied the request: Node ${name} is still on the books`;

/** Longer than Cluster API's own ten seconds: a Node whose limit is 0 is asked for until it goes. */
export const nodesKept: Fault = meddlingFault<Exchange, Meddling>(
  (world) => (meddler) => world.meddlers.onRequest(meddler),
  {
    name: 'nodes-kept',
    about: 'An admission webhook does not let Nodes be deleted for a long time.',
    who: 'a webhook',
    courses: ['for long'],
    fits: ({ verb, resource }) => verb === 'delete' && resource === 'nodes',
    fate: (exchange) => ({ answer: { status: 403, reason: 'Forbidden', message: messageOf(exchange) } }),
    says: ({ name, host }) => `does not let Nodes be deleted, such as ${name} in ${host}`,
    instance: ({ instance }) => instance,
  },
);
