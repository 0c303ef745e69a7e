import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import { judging, judgingServers } from './sight/judging.ts';
import { isDeleting, isHeldBack, machineIn } from './sight/machine.ts';
import { clusterRead, machineRead, witnessOf } from './sight/witness.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import type { Actor } from './sight/reads.ts';

/** Its status may still say that it is paused. */
const touching = [
  ...(['evict', 'cordon', 'delete Node', 'delete infrastructure', 'delete bootstrap'] as const),
  ...(['take finalizer', 'write Machine'] as const),
];

const toBeLeft = 'its Machine is to be left alone';

export const pausedIsLeftAlone: Invariant = {
  name: 'nothing is done to a Machine that is paused, ruled elsewhere or not as its API demands',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const isHeld = (actor: Actor, plan: MachinePlan, machine: KubeObject): boolean =>
      !witness.wasSoLately(actor, [machineRead(plan), clusterRead(machine)], (view) => {
        const seen = machineIn(view, plan);
        return seen === undefined || !isHeldBack(view, seen);
      });
    return {
      ...judging(
        witness,
        touching,
        ({ plan, machine, actor }) => {
          if (plan === undefined || machine === undefined || !isDeleting(machine)) return undefined;
          return isHeld(actor, plan, machine) ? toBeLeft : undefined;
        },
        violated,
      ),
      ...judgingServers(
        witness,
        ({ actor, plan, machine }) => (isHeld(actor, plan, machine) ? toBeLeft : undefined),
        violated,
      ),
    };
  },
};
