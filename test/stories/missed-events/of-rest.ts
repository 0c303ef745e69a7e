import { type Missed, ticksGo } from './missed.ts';
import {
  aWorker,
  aWorkerWithAHook,
  deletionBegins,
  goneWithin,
  hook,
  minutes,
  same,
  untilFound,
  untilLookedAt,
} from './scenes.ts';

/** The tick that asks for what is due rests while nothing is being deleted. */
export const resting: Record<string, Missed> = {
  'it rests when nothing is being deleted, goes while something is, and rests again': {
    rests: true,
    scene: aWorker,
    async plot(fleet) {
      await fleet.seconds(4 * minutes);
      same('goes before', ticksGo(fleet), false);
      fleet.delete('worker-1');
      await fleet.seconds(1);
      same('goes meanwhile', ticksGo(fleet), true);
      await goneWithin(fleet, 60, 'worker-1');
      await fleet.seconds(4 * minutes);
      same('goes after', ticksGo(fleet), false);
    },
  },

  'it goes for a deletion that no event told of': {
    rests: true,
    scene: aWorker,
    async plot(fleet, knative) {
      await fleet.seconds(4 * minutes);
      knative.adapters.stop();
      fleet.delete('worker-1');
      await goneWithin(fleet, untilFound, 'worker-1');
    },
  },

  'somebody puts it to rest while a deletion waits': {
    rests: true,
    conditions: { wakeUps: false },
    scene: aWorkerWithAHook,
    async plot(fleet, knative) {
      await deletionBegins(fleet, 30);
      knative.adapters.stop();
      fleet.change('pingsources.sources.knative.dev', 'sweep-due', { spec: { schedule: '0 0 1 1 *' } });
      fleet.annotate('worker-1', { [hook]: null });
      await goneWithin(fleet, untilFound + 5 * untilLookedAt, 'worker-1');
    },
  },
};
