import type { Missed } from './missed.ts';
import { aWorker, goneWithin, untilFound, untilLookedAt, workers } from './scenes.ts';

/** Bound to the functions, without a Broker before them: no process reads the answers. */
export const bound: Record<string, Missed> = {
  'and what follows goes through a Broker': {
    isWithoutBroker: true,
    scene: (fleet) => workers(fleet, 2),
    async plot(fleet) {
      await fleet.seconds(5);
      fleet.delete('worker-1');
      fleet.delete('worker-2');
      await goneWithin(fleet, 20, 'worker-1', 'worker-2');
    },
  },

  'and there is no Broker at all': {
    isWithoutBroker: true,
    scene: (fleet) => workers(fleet, 2),
    async plot(fleet, knative) {
      knative.broker.stop();
      await fleet.seconds(5);
      fleet.delete('worker-1');
      fleet.delete('worker-2');
      await goneWithin(fleet, 2 * untilLookedAt, 'worker-1', 'worker-2');
    },
  },

  'and a single deletion is found by the sweep': {
    isWithoutBroker: true,
    scene: aWorker,
    async plot(fleet, knative) {
      knative.broker.stop();
      knative.adapters.stop();
      await fleet.seconds(5);
      fleet.delete('worker-1');
      await goneWithin(fleet, untilFound + untilLookedAt, 'worker-1');
    },
  },
};
