import type { SimulatedInstance } from '../../platform/instance.ts';
import type { Fault, FaultSetting } from '../fault.ts';
import { atMoments } from '../moments.ts';

/** How long a Pod may take to end, as the Service is rendered. */
const graceMilliseconds = 60_000;

/** Asks an instance to end. It gets no more requests, and may finish in time what it has begun. */
function ends({ world }: FaultSetting, name: string, instance: SimulatedInstance): void {
  world.say('an instance', `${instance.name} is asked to end`);
  world.hit(name, instance.name);
  world.retire(instance);
  world.scheduler.after(graceMilliseconds, () => world.kill(instance));
}

const endedPolitely: Fault = {
  name: 'ended-politely',
  about: 'An instance is asked to end in the middle of its work, as when it is scaled down.',
  strike(setting) {
    const { world, random } = setting;
    atMoments(setting, 5, () => {
      const there = world.instances();
      if (there.length > 0) ends(setting, this.name, random.oneOf(there));
    });
    return undefined;
  },
};

const allGone: Fault = {
  name: 'all-instances-gone',
  about: 'All instances end, and for up to two minutes none begins.',
  strike(setting) {
    const { world, random } = setting;
    atMoments(setting, 2, () => {
      const seconds = random.between(0, 120);
      world.say('the instances', `are all gone, for ${seconds} s`);
      world.hit(this.name);
      for (const instance of world.instances()) world.kill(instance);
      world.scheduler.after(seconds * 1_000, world.meddlers.keepInstancesAway());
    });
    return undefined;
  },
};

/** Another configuration than before: whatever an upgrade may change of it. */
const upgrade: Fault = {
  name: 'upgrade',
  about:
    'In the middle of deletions instances are replaced, one by one, by others with another configuration.',
  strike(setting) {
    const { world, random } = setting;
    atMoments(setting, 1, () => {
      const { config } = world;
      world.config = {
        ...config,
        wakeUps: random.chance(0.5),
        requeueAfterSeconds: random.oneOf([5, 10, 20, 45]),
        evictionsPerSecond: random.oneOf([1, 5, 100]),
        evictionBurst: random.oneOf([1, 5, 200]),
        evictionsInFlight: random.oneOf([1, 50]),
        wakeUpsMax: random.oneOf([0, 1, 500]),
      };
      world.say('an operator', 'rolls out instances with another configuration');
      let wait = 0;
      for (const instance of world.instances()) {
        world.scheduler.after(wait, () => ends(setting, this.name, instance));
        wait += random.between(0, 20_000);
      }
    });
    return undefined;
  },
};

/** Ends of instances that their operator or platform causes. */
export const endings: readonly Fault[] = [endedPolitely, allGone, upgrade];
