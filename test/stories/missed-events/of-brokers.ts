import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import { resources } from '../stage/fleet.ts';
import type { Knative } from './knative.ts';
import type { Missed } from './missed.ts';
import { aWorker, goneWithin, hook, minutes, same, untilFound, untilLookedAt, workers } from './scenes.ts';

/** Begins to fail so, and answers with the way to end that. */
type Failing = (knative: Knative) => () => void;

const unreachable: Failing = ({ broker }) => {
  broker.stop();
  return () => broker.start();
};

const losing: Failing = (knative) => {
  knative.loses = () => true;
  return () => void (knative.loses = () => false);
};

const reachingNobody: Failing = (knative) => {
  knative.functionsAreUp = false;
  return () => void (knative.functionsAreUp = true);
};

const forTenMinutes = (begin: Failing): Missed => ({
  left: ['worker-3'],
  scene: (fleet) => workers(fleet, 3),
  async plot(fleet, knative) {
    await fleet.seconds(5);
    fleet.delete('worker-1');
    await fleet.seconds(2);
    const end = begin(knative);
    fleet.delete('worker-2');
    await fleet.seconds(10 * minutes);
    same('worker-2 is there', fleet.machine('worker-2') !== undefined, true);
    end();
    await goneWithin(fleet, untilFound, 'worker-1', 'worker-2');
  },
});

const isTick = ({ attributes }: CloudEvent): boolean => attributes['type'] === 'dev.knative.sources.ping';

const all = ['worker-1', 'worker-2', 'worker-3', 'worker-4'];
const waiting = 'worker-5';

/** Beside a Machine that waits all the time, and always came first. */
const forEver = (seconds: number, begin: (knative: Knative) => void): Missed => ({
  scene(fleet) {
    workers(fleet, all.length + 1);
    fleet.change(resources.machines, waiting, { metadata: { annotations: { [hook]: '' } } });
  },
  async plot(fleet, knative) {
    await fleet.seconds(5);
    fleet.delete(waiting);
    await fleet.seconds(3);
    begin(knative);
    for (const name of all) fleet.delete(name);
    await goneWithin(fleet, seconds, ...all);
    const told = all.flatMap((name) => knative.changesOf(name));
    same('told of them', told, []);
    fleet.annotate(waiting, { [hook]: null });
    await goneWithin(fleet, 5 * minutes, waiting);
  },
});

export const failing: Record<string, Missed> = {
  'for ten minutes it cannot be reached': forTenMinutes(unreachable),
  'for ten minutes it takes everything and delivers nothing': forTenMinutes(losing),
  'for ten minutes it reaches no function': forTenMinutes(reachingNobody),
  'for ever it loses all but ticks and replies': forEver(untilFound + 5 * minutes, (knative) => {
    knative.loses = (event) => !isTick(event);
  }),
  'for ever it takes nothing but ticks and replies': forEver(untilFound + untilLookedAt, (knative) => {
    knative.refuses = (event) => !isTick(event);
  }),

  'it is restarted and forgets what it was about to deliver again': {
    left: ['worker-2'],
    scene: (fleet) => workers(fleet, 2),
    async plot(fleet, knative) {
      await fleet.seconds(5);
      const end = reachingNobody(knative);
      fleet.delete('worker-1');
      await fleet.seconds(1);
      knative.broker.stop();
      knative.broker.start();
      end();
      await fleet.seconds(minutes);
      same('told of worker-1', knative.changesOf('worker-1'), []);
      await goneWithin(fleet, untilFound, 'worker-1');
    },
  },

  'it is restarted while the functions are killed in mid-step': {
    conditions: { latencyMilliseconds: 200 },
    scene: aWorker,
    async plot(fleet, knative) {
      await fleet.seconds(5);
      fleet.delete('worker-1');
      await fleet.until('a Pod is evicted', () =>
        fleet.requests.some(({ resource }) => resource === 'pods/eviction'),
      );
      fleet.restart();
      knative.broker.stop();
      knative.broker.start();
      await goneWithin(fleet, 2 * untilLookedAt, 'worker-1');
    },
  },
};
