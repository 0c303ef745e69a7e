import type { Fault } from '../../faults/fault.ts';
import { isAt } from '../blockers/case.ts';
import { aMachineOf, deed, nameOf } from './deed.ts';
import { mayBePaused, pause } from './pauses.ts';

/** The last ones are over in a moment: a pause at a random time hardly ever meets them. */
const phases = ['volume-detach', 'infrastructure', 'bootstrap', 'node', 'finalize'] as const;

/** A pause counts in each phase, however far the deletion has come. */
export const pausedOnTheWay: Fault = deed({
  name: 'machine-paused-on-its-way',
  about: 'A Machine is paused right when its deletion has come to a later phase, and most go on after that.',
  run(setting) {
    const { world, random, until } = setting;
    const target = aMachineOf(setting, mayBePaused);
    if (target === undefined) return undefined;
    const { plan, machine } = target;
    const phase = random.oneOf(phases);
    const stop = world.management.watch(plan.resource, ({ object }) => {
      if (object.metadata.uid !== machine.metadata.uid || !isAt(object, phase)) return;
      stop();
      world.scheduler.after(random.between(0, random.oneOf([20, 500])), () => {
        const done = world.now() < until ? pause(setting, target) : undefined;
        if (done === undefined) return;
        world.say('a user', done);
        world.hit('machine-paused-on-its-way');
      });
    });
    return `is going to pause the Machine ${nameOf(machine)} at ${phase}`;
  },
});
