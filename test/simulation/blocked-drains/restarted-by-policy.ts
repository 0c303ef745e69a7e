import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { witnessOf } from '../invariants/sight/witness.ts';
import { deploymentIn, podsOf, restartedFor } from './restarts.ts';
import { watchRulings } from './rulings.ts';

/** One of its Pods was refused on the Node of a Machine, for as long as the DrainPolicy says. */
export const restartedByPolicy: Invariant = {
  name: 'no Deployment is restarted but for a Pod that was not let go, where and when a DrainPolicy says so',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const rulings = watchRulings(world, witness);
    return {
      ...rulings.observer,
      before(exchange) {
        const machine = restartedFor(exchange);
        if (machine === undefined) return;
        const { host, resource, namespace, name, instance } = exchange;
        const deployment = world.cluster(host).get(resource, namespace, name);
        // The server refuses what names another version.
        const version = textAt(exchange.body, 'metadata', 'resourceVersion');
        if (deployment === undefined || deployment.metadata.resourceVersion !== version) return;
        const why = podsOf(world.cluster(host), deployment).map((pod) =>
          witness.machineOfNode(host, textAt(pod, 'spec', 'nodeName') ?? '') === undefined
            ? 'it is on the Node of no Machine'
            : rulings.whyNot(host, pod, 'RolloutRestart'),
        );
        if (!why.includes(undefined))
          violated(
            `${instance} restarts ${deploymentIn(exchange)} for the Machine ${machine}: ${why.join('; ')}`,
          );
      },
    };
  },
};
