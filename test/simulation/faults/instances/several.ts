import type { Fault } from '../fault.ts';

const advance = 'dev.phaseout.deletion.advance.v1';

/** One or two instances more, and commands that come to several of them. */
export const severalInstances: Fault = {
  name: 'several-instances',
  about: 'Several instances work on one Machine at the same time.',
  strike({ world, random }) {
    const more = random.between(1, 2);
    for (let count = 0; count < more; count += 1) world.startInstance();
    world.say('the instances', `are ${world.instances().length}`);
    const share = random.oneOf([0.2, 0.5, 1]);
    world.meddlers.onEvent(({ to, event }) => {
      if (to === undefined || event.attributes['type'] !== advance) return undefined;
      const there = world.instances().length;
      if (there < 2 || !random.chance(share)) return undefined;
      const times = random.between(2, there);
      const { phase = '', subject = '' } = event.attributes;
      const [namespace = '', , name = ''] = subject.split('/').slice(-3);
      world.say(
        'the Broker',
        `sends the ${phase} of Machine ${namespace}/${name} to ${times} instances at once`,
      );
      world.hit(this.name, undefined, [phase]);
      return { times };
    });
    return undefined;
  },
};
