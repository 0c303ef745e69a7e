import type { Invariant } from '../invariants/invariant.ts';
import { deploymentIn, restartedFor } from './restarts.ts';

/** Whatever becomes of the answer: what the API server has taken counts. */
export const restartedOnce: Invariant = {
  name: 'for the deletion of one Machine a Deployment is restarted once',
  watch(world, _scenario, violated) {
    const seen = new Set<string>();
    return {
      after(exchange, { code }) {
        const machine = restartedFor(exchange);
        if (machine === undefined || code >= 300) return;
        const { host, resource, namespace, name, instance } = exchange;
        const uid = world.cluster(host).get(resource, namespace, name)?.metadata.uid;
        const restart = `${uid} for ${machine}`;
        if (seen.has(restart))
          violated(`${instance} restarts ${deploymentIn(exchange)} once more for the Machine ${machine}`);
        seen.add(restart);
      },
    };
  },
};
