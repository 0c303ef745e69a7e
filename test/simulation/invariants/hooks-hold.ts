import { isClusterApi } from '../../stories/stage/apis.ts';
import type { Invariant } from './invariant.ts';
import { farGrace, wasSoAround } from './sight/apart.ts';
import { type Case, judging, judgingServers } from './sight/judging.ts';
import { hooksAt, isNodeForbidden, machineIn } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { sendsPodsAway } from './sight/seen-effect.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

const drains = [...sendsPodsAway, 'cordon'] as const;
const ends = ['delete infrastructure', 'delete bootstrap', 'delete Node', 'take finalizer'] as const;

export const hooksHold: Invariant = {
  name: 'no effect of a phase happens while a hook before it is there',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return {
      ...judging(
        witness,
        [...drains, ...ends],
        ({ kind, plan, machine, actor }) => {
          if (plan === undefined || machine === undefined) return undefined;
          const isDrain = drains.some((drain) => drain === kind);
          return heldBy(witness, { actor, plan, machine, isDrain });
        },
        violated,
      ),
      ...judgingServers(witness, (about) => heldBy(witness, { ...about, isDrain: false }), violated),
    };
  },
};

interface About extends Case {
  isDrain: boolean;
}

/** Hooks before the drain hold nothing where the Node must not be touched. */
function heldBy(witness: Witness, { isDrain, ...of }: About): string | undefined {
  const { actor, plan, machine } = of;
  const hooksIn = (view: View): string[] => {
    const seen = machineIn(view, plan);
    if (seen === undefined) return [];
    return [
      ...hooksAt(seen, 'pre-drain', witness.world.config),
      ...(isDrain ? [] : hooksAt(seen, 'pre-terminate')),
    ];
  };
  if (witness.wasSoLately(actor, [machineRead(plan)], (view) => hooksIn(view).length === 0)) return undefined;
  const isPassedBy = (view: View): boolean => {
    const seen = machineIn(view, plan);
    if (seen === undefined) return true;
    return isNodeForbidden(view, seen) && (isDrain || hooksAt(seen, 'pre-terminate').length === 0);
  };
  if (isClusterApi(machine) && !isDrain && wasSoAround(witness, of, isPassedBy, farGrace)) return undefined;
  return `hooks hold it: ${hooksIn(witness.past.present).join(', ')}`;
}
