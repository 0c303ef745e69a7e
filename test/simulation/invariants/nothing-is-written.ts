import { isOnlyWatching } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';

const reads = ['get', 'list', 'watch'];

/** The tick rests by its schedule, and Events are written where they were asked for. */
function isAllowed({ verb, resource }: Exchange, hasEvents: boolean): boolean {
  if (reads.includes(verb) || resource === 'pingsources.sources.knative.dev') return true;
  return hasEvents && verb === 'create' && resource === 'events';
}

export const nothingIsWritten: Invariant = {
  name: 'where phaseout only watches it writes nothing',
  watch: (world, _scenario, violated) => ({
    leaves(exchange) {
      const { instance, verb, path } = exchange;
      if (isOnlyWatching(world.config) && !isAllowed(exchange, world.config.observeEvents))
        violated(`${instance} sends ${verb} ${path}`);
    },
    asked({ instance, operation }) {
      if (isOnlyWatching(world.config)) violated(`${instance} asks the provider to ${operation}`);
    },
  }),
};
