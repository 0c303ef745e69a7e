import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { clusterOf } from './sight/machine.ts';
import { isSoInAny, type View } from './sight/past.ts';
import { witnessOf } from './sight/witness.ts';

/**
 * An instance reads the Cluster at the beginning of its step, and may stand still after that. One that made a server no
 * longer wanted insists on its end. It does so with the Cluster that it made the server with.
 */
const knownMilliseconds = 300_000;

export const providerKnowsTheCluster: Invariant = {
  name: 'a provider is told of the Cluster that the Machine is of',
  watch(world, scenario, violated) {
    const { past, reads } = witnessOf(world, scenario);
    return {
      asked({ instance, operation, machine, cluster }) {
        const isSo = (view: View): boolean =>
          clusterOf(view, machine)?.metadata.uid === cluster?.metadata.uid;
        const since = world.now() - knownMilliseconds - reads.stillnessOf(instance);
        if (isSo(past.present) || isSoInAny(past.since(since), isSo)) return;
        const told = cluster === undefined ? 'no Cluster' : `the Cluster ${nameOf(cluster)}`;
        violated(
          `${instance} asks for ${operation} of the server of Machine ${nameOf(machine)}: with ${told}`,
        );
      },
    };
  },
};
