import { resources } from '../stage/fleet.ts';
import type { Missed } from './missed.ts';
import {
  aWorker,
  aWorkerWithAHook,
  deletionBegins,
  goneWithin,
  hook,
  minutes,
  paused,
  same,
  unheard,
  untilFound,
  untilLookedAt,
  workers,
} from './scenes.ts';

/** What exists when the sources start. */
export const atTheStart: Record<string, Missed> = {
  'a deletion that nobody has touched, one in mid-drain and one whose hook has gone meanwhile': {
    scene(fleet) {
      workers(fleet, 3);
      fleet.change(resources.machines, 'worker-2', { metadata: { annotations: { [hook]: '' } } });
    },
    async plot(fleet, knative) {
      await fleet.seconds(5);
      fleet.delete('worker-1');
      fleet.delete('worker-2');
      await fleet.seconds(3);
      knative.stop();
      fleet.delete('worker-3');
      fleet.annotate('worker-2', { [hook]: null });
      fleet.restart();
      await fleet.seconds(10 * minutes);
      same(
        'alive meanwhile',
        ['worker-1', 'worker-2', 'worker-3'].filter((name) => fleet.machine(name)),
        ['worker-1', 'worker-2', 'worker-3'],
      );
      const before = knative.delivered.length;
      knative.start();
      await goneWithin(fleet, untilFound, 'worker-1', 'worker-2', 'worker-3');
      same('delivered first', knative.delivered[before]?.what, 'dev.knative.sources.ping');
    },
  },

  'deletions, without a store': {
    conditions: { storeIsDown: true },
    scene: (fleet) => workers(fleet, 2),
    async plot(fleet, knative) {
      await fleet.seconds(5);
      knative.stop();
      fleet.delete('worker-1');
      fleet.delete('worker-2');
      await fleet.seconds(10 * minutes);
      knative.start();
      await goneWithin(fleet, untilFound, 'worker-1', 'worker-2');
    },
  },
};

/** What happens while the source is down. */
export const meanwhile: Record<string, Missed> = {
  'a deletion begins': {
    scene: aWorker,
    async plot(fleet, knative) {
      await fleet.seconds(5);
      await unheard(fleet, knative, () => fleet.delete('worker-1'));
      await fleet.seconds(10);
      same('told of it', knative.changesOf('worker-1'), []);
      await goneWithin(fleet, untilFound, 'worker-1');
    },
  },

  'a hook is taken away': {
    scene: aWorkerWithAHook,
    async plot(fleet, knative) {
      await deletionBegins(fleet, 30);
      await unheard(fleet, knative, () => fleet.annotate('worker-1', { [hook]: null }));
      await goneWithin(fleet, untilLookedAt, 'worker-1');
    },
  },

  'the Pods go, and no instance watches for that': {
    conditions: { wakeUps: false },
    scene: aWorker,
    async plot(fleet, knative) {
      await deletionBegins(fleet, 3);
      knative.stop();
      fleet.restart();
      await fleet.seconds(minutes);
      same('Pods', fleet.server.cluster.list('pods'), []);
      knative.start();
      await goneWithin(fleet, 3 * untilLookedAt, 'worker-1');
    },
  },

  'the Machine is paused, and later it is not any more': {
    scene: aWorker,
    async plot(fleet, knative) {
      await deletionBegins(fleet, 3);
      await unheard(fleet, knative, () => fleet.annotate('worker-1', { [paused]: '' }));
      await fleet.seconds(7 * minutes);
      same('the server goes', fleet.isInfrastructureGoing('worker-1'), false);
      await unheard(fleet, knative, () => fleet.annotate('worker-1', { [paused]: null }));
      await goneWithin(fleet, untilLookedAt, 'worker-1');
    },
  },

  'the Machine goes by other hands and is made again under its name': {
    scene: aWorkerWithAHook,
    async plot(fleet, knative) {
      await deletionBegins(fleet, 30);
      knative.adapters.stop();
      fleet.change(resources.machines, 'worker-1', { metadata: { finalizers: null } });
      same('the first one', fleet.machine('worker-1'), undefined);
      fleet.worker('worker-1', { node: null, infrastructure: null, bootstrap: null });
      knative.adapters.start();
      const before = fleet.machine('worker-1');
      await fleet.seconds(7 * minutes);
      same('the second one', fleet.machine('worker-1'), before);
      fleet.delete('worker-1');
      await goneWithin(fleet, 15, 'worker-1');
    },
  },
};
