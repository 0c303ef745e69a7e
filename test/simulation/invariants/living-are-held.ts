import type { Invariant } from './invariant.ts';
import { atTheEnd } from './sight/at-the-end.ts';
import { whyHeldBack, whyTheirs } from './sight/held-back.ts';
import { finalizerOf, isDeleting, lacksItsCluster, machineIn, titleOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** Without it a Machine is gone the moment it is deleted, with its Pods on its server. */
export const livingAreHeld: Invariant = {
  name: 'in the end each Machine that lives has our finalizer',
  watch(world, scenario, violated) {
    const { present } = witnessOf(world, scenario).past;
    return atTheEnd(world, () => {
      for (const plan of scenario.machines) {
        const machine = machineIn(present, plan);
        if (machine === undefined || isDeleting(machine) || whyTheirs(machine, world.config)) continue;
        if (whyHeldBack(present, machine) !== undefined || lacksItsCluster(present, machine)) continue;
        if (machine.metadata.finalizers?.includes(finalizerOf[plan.api]) !== true)
          violated(`${titleOf(plan)} lives without it`);
      }
    });
  },
};
