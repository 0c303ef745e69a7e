import type { MachinePlan, Scenario } from '../scenario/model.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { atTheEnd } from './sight/at-the-end.ts';
import { isDeleting, keyOf, machineIn, titleOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

const deletingIn = (world: World, scenario: Scenario): MachinePlan[] => {
  const { present } = witnessOf(world, scenario).past;
  return scenario.machines.filter((plan) => {
    const machine = machineIn(present, plan);
    return machine !== undefined && isDeleting(machine);
  });
};

export const everythingEnds: Invariant = {
  name: 'a Machine that nothing holds is gone in time, once nothing goes wrong any more',
  watch(world, scenario, violated) {
    const stay = (held: readonly MachinePlan[]): void => {
      const free = deletingIn(world, scenario).filter(
        (plan) => !held.some((other) => keyOf(other) === keyOf(plan)),
      );
      if (free.length > 0) violated(`still there: ${free.map(titleOf).join(', ')}`);
    };
    return {
      stoodStill() {
        if (world.violations.length === 0) stay(scenario.blockers(world).map(({ machine }) => machine));
      },
      ...atTheEnd(world, () => stay([])),
    };
  },
};
