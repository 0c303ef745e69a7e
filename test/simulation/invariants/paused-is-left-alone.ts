import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import type { Actor } from './sight/actor.ts';
import { wasSoAround } from './sight/apart.ts';
import { whyHeldBack, whyOurOwn, whyTheirs } from './sight/held-back.ts';
import { judging, judgingServers } from './sight/judging.ts';
import { isDeleting, machineIn } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { sendsPodsAway } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

/** Its status may still say that it is paused. */
const touching = [
  ...sendsPodsAway,
  ...(['cordon', 'delete Node', 'delete infrastructure', 'delete bootstrap'] as const),
  ...(['take finalizer', 'hand over', 'mark drained', 'write Machine'] as const),
];

export const pausedIsLeftAlone: Invariant = {
  name: 'nothing is done to a Machine that is paused, ruled elsewhere, given away, not as its API demands or the one that phaseout runs on',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const heldBack = (actor: Actor, plan: MachinePlan, machine: KubeObject): string | undefined => {
      const why = (view: View): string | undefined => {
        const seen = machineIn(view, plan);
        return (
          seen &&
          (whyHeldBack(view, seen) ?? whyTheirs(seen, world.config) ?? whyOurOwn(view, seen, world.config))
        );
      };
      const isFree = wasSoAround(witness, { actor, plan, machine }, (view) => why(view) === undefined);
      return isFree ? undefined : `its Machine is to be left alone, ${why(witness.past.present)}`;
    };
    return {
      ...judging(
        witness,
        touching,
        ({ plan, machine, actor }) => {
          if (plan === undefined || machine === undefined || !isDeleting(machine)) return undefined;
          return heldBack(actor, plan, machine);
        },
        violated,
      ),
      ...judgingServers(witness, ({ actor, plan, machine }) => heldBack(actor, plan, machine), violated),
    };
  },
};
