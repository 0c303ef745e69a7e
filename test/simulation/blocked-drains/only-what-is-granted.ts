import type { Invariant } from '../invariants/invariant.ts';
import type { Exchange } from '../wire/exchange.ts';
import { deployments } from './deployments.ts';

const read = [deployments, 'replicasets.apps', 'persistentvolumeclaims'];

/** What a request is a part of; undefined where that needs no grant. */
function neededFor({ verb, resource }: Exchange): 'RolloutRestart' | 'Delete' | undefined {
  if (read.includes(resource)) return 'RolloutRestart';
  return verb === 'delete' && resource === 'pods' ? 'Delete' : undefined;
}

export const onlyWhatIsGranted: Invariant = {
  name: 'without a grant no Deployment is read or restarted, and no Pod is deleted',
  watch: (world, _scenario, violated) => ({
    leaves(exchange) {
      const { instance, verb, resource, namespace, name } = exchange;
      if (!instance.startsWith('instance')) return;
      const action = neededFor(exchange);
      if (action === undefined || world.config.actions.has(action)) return;
      violated(`${instance} asks ${verb} ${resource} ${namespace}/${name} without the grant ${action}`);
    },
  }),
};
