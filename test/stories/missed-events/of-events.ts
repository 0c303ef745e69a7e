import { resources } from '../stage/fleet.ts';
import type { Missed } from './missed.ts';
import {
  aWorker,
  aWorkerWithAHook,
  deletionBegins,
  effectsOf,
  goneWithin,
  hook,
  minutes,
  same,
  untilFound,
  untilLookedAt,
  workers,
} from './scenes.ts';

/** Events that mislead: missing ones between others, false ones, the same thing twice. */
export const misleading: Record<string, Missed> = {
  'an adapter that lists again after a 410 skips what happened before': {
    scene: (fleet) => workers(fleet, 2),
    async plot(fleet, knative) {
      await fleet.seconds(5);
      knative.watches.silence();
      fleet.delete('worker-1');
      await fleet.seconds(5);
      knative.watches.expire();
      await fleet.seconds(5);
      same('gaps', knative.dropped, ['the resourceVersion was too old: changes in between are lost']);
      same('told of worker-1', knative.changesOf('worker-1'), []);
      fleet.delete('worker-2');
      await goneWithin(fleet, 15, 'worker-2');
      await goneWithin(fleet, untilFound, 'worker-1');
    },
  },

  'a Machine that leaves the selection is told to be deleted, and is there': {
    labelSelector: 'tier=web',
    scene(fleet) {
      aWorkerWithAHook(fleet);
      fleet.change(resources.machines, 'worker-1', { metadata: { labels: { tier: 'web' } } });
    },
    async plot(fleet, knative) {
      await deletionBegins(fleet, 30);
      fleet.change(resources.machines, 'worker-1', { metadata: { labels: { tier: 'other' } } });
      await fleet.seconds(5);
      same('told last', knative.changesOf('worker-1').at(-1), 'delete');
      fleet.annotate('worker-1', { [hook]: null });
      await goneWithin(fleet, untilLookedAt, 'worker-1');
    },
  },

  'the last event of a Machine still lists our finalizer, and nobody looks for it': {
    scene: aWorker,
    async plot(fleet, knative) {
      await fleet.seconds(5);
      fleet.delete('worker-1');
      await fleet.gone('worker-1');
      await fleet.seconds(2);
      // A new instance has not seen the Machine go.
      fleet.restart();
      const before = fleet.requests.length;
      await knative.tellAgain('worker-1');
      await fleet.seconds(2);
      same('told last', knative.changesOf('worker-1').slice(-2), ['delete', 'delete']);
      const looks = fleet.requests.slice(before).filter(({ path }) => path.endsWith('/worker-1'));
      same('looks', looks, []);
    },
  },

  'two adapters tell everything, as while one is rolled': {
    scene: aWorker,
    async plot(fleet, knative) {
      knative.adapters.start();
      await fleet.seconds(5);
      fleet.delete('worker-1');
      await goneWithin(fleet, 30, 'worker-1');
      await fleet.seconds(1);
      const changes = knative.changesOf('worker-1');
      same('deletes told', changes.filter((what) => what === 'delete').length, 2);
      same('effects', effectsOf(fleet), [
        'patch nodes',
        'create pods/eviction',
        'create pods/eviction',
        'delete genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
        'delete genericbootstrapconfigs.bootstrap.cluster.x-k8s.io',
        'delete nodes',
      ]);
    },
  },
};

export const ticks: Record<string, Missed> = {
  'those that were missed for an hour are not needed one by one': {
    scene: aWorkerWithAHook,
    async plot(fleet, knative) {
      await deletionBegins(fleet, 3);
      knative.adapters.stop();
      knative.pings.stop();
      fleet.annotate('worker-1', { [hook]: null });
      fleet.restart();
      await fleet.seconds(60 * minutes);
      knative.pings.start();
      await goneWithin(fleet, 30, 'worker-1');
    },
  },

  'those that come while earlier ones are worked on do no harm': {
    conditions: { latencyMilliseconds: 9_000, instances: 2 },
    scene: (fleet) => workers(fleet, 4),
    async plot(fleet, knative) {
      knative.adapters.stop();
      for (const name of ['worker-1', 'worker-2', 'worker-3', 'worker-4']) fleet.delete(name);
      await goneWithin(fleet, 15 * minutes, 'worker-1', 'worker-2', 'worker-3', 'worker-4');
      same('several sweeps at once', knative.sweeps.most > 1, true);
    },
  },
};
