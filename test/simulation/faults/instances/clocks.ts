import type { SimulatedInstance } from '../../platform/instance.ts';
import { skewText } from '../../story/line.ts';
import type { Fault } from '../fault.ts';
import { atMoments } from '../moments.ts';

const second = 1_000;
const sizes = [second, 30 * second, 600 * second, 4 * 3_600 * second];

/** The clock of an instance jumps forward or back by seconds to hours, and right again later. */
export const jumpingClocks: Fault = {
  name: 'clock-jumps',
  about: "An instance's clock jumps forward or back by seconds to hours, and right again some time later.",
  strike(setting) {
    const { world, random } = setting;
    const wrong = new Set<SimulatedInstance>();
    const correct = (instance: SimulatedInstance): void => {
      instance.strand.skew(0);
      if (!wrong.delete(instance) || instance.strand.isDead) return;
      world.say('an instance', `the clock of ${instance.name} is right again`);
    };
    const most = random.oneOf(sizes);
    atMoments(setting, 4, () => {
      const there = world.instances();
      if (there.length === 0) return;
      const instance = random.oneOf(there);
      const milliseconds = random.between(-most, most);
      wrong.add(instance);
      instance.strand.skew(milliseconds);
      world.say('an instance', `the clock of ${instance.name} ${skewText(milliseconds)}`);
      world.hit(this.name, instance.name);
      world.scheduler.after(random.between(second, 120 * second), () => correct(instance));
    });
    return () => wrong.forEach(correct);
  },
};
