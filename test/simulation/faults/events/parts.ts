import type { Part } from '../../../stories/missed-events/part.ts';
import type { Fault, FaultSetting } from '../fault.ts';
import { atMoments } from '../moments.ts';

interface Restart {
  name: string;
  about: string;
  /** The part, for the story. */
  who: string;
  part: (setting: FaultSetting) => Part;
  /** For how long it is away, in milliseconds. */
  away: readonly number[];
}

/** A part of Knative ends in the middle of whatever it does and is started again, at once or later. */
const restarted = ({ name, about, who, part: partOf, away }: Restart): Fault => ({
  name,
  about,
  strike(setting) {
    const { world, random } = setting;
    const part = partOf(setting);
    const begin = (): void => {
      if (part.running === 0) part.start();
    };
    atMoments(setting, 4, () => {
      const milliseconds = random.oneOf(away);
      part.end();
      world.say(who, milliseconds === 0 ? 'ends and begins anew' : `ends, for ${milliseconds / 1_000} s`);
      world.hit(name);
      world.scheduler.after(milliseconds, begin);
    });
    return begin;
  },
});

const twoAdapters: Fault = {
  name: 'two-adapters',
  about: 'Two adapters of each source run at the same time for a while: every change is told twice.',
  strike(setting) {
    const { world, random } = setting;
    const { adapters } = world.eventing;
    const endOne = (): void => {
      if (adapters.running > 1) adapters.stop();
    };
    atMoments(setting, 3, () => {
      adapters.start();
      world.say('the sources', 'run twice');
      world.hit(this.name);
      world.scheduler.after(random.between(100, 60_000), endOne);
    });
    return () => {
      while (adapters.running > 1) adapters.stop();
    };
  },
};

/** Parts of Knative that go and come. */
export const parts: readonly Fault[] = [
  restarted({
    name: 'broker-restarted',
    about: 'The Broker ends and loses all it holds.',
    who: 'the Broker',
    part: ({ world }) => world.eventing.broker,
    away: [0, 1_000, 10_000],
  }),
  restarted({
    name: 'adapters-restarted',
    about: 'The adapters of the sources end: what changes meanwhile is never told.',
    who: 'the adapter of each source',
    part: ({ world }) => world.eventing.adapters,
    away: [0, 1_000, 60_000],
  }),
  twoAdapters,
];
