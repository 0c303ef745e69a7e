import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { isClusterApi } from '../../stories/stage/apis.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import { wasSoAround } from './sight/apart.ts';
import { judging, judgingServers } from './sight/judging.ts';
import { hooksAt, isNodeForbidden, machineIn } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import type { Actor } from './sight/reads.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

const drains = ['evict', 'cordon'] as const;
const ends = ['delete infrastructure', 'delete bootstrap', 'delete Node', 'take finalizer'] as const;

/** How long an instance may believe what it knows of the control plane. */
const controlPlaneGrace = 6_000;

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

interface About {
  actor: Actor;
  plan: MachinePlan;
  machine: KubeObject;
  isDrain: boolean;
}

/** Hooks before the drain hold nothing where the Node must not be touched. */
function heldBy(witness: Witness, { actor, plan, machine, isDrain }: About): string | undefined {
  const hooksIn = (view: View): string[] => {
    const seen = machineIn(view, plan);
    if (seen === undefined) return [];
    return [...hooksAt(seen, 'pre-drain'), ...(isDrain ? [] : hooksAt(seen, 'pre-terminate'))];
  };
  if (witness.wasSoLately(actor, [machineRead(plan)], (view) => hooksIn(view).length === 0)) return undefined;
  const isPassedBy = (view: View): boolean => {
    const seen = machineIn(view, plan);
    if (seen === undefined) return true;
    return isNodeForbidden(view, seen) && (isDrain || hooksAt(seen, 'pre-terminate').length === 0);
  };
  const about = { actor, plan, machine };
  if (isClusterApi(machine) && !isDrain && wasSoAround(witness, about, isPassedBy, controlPlaneGrace))
    return undefined;
  return `hooks hold it: ${hooksIn(witness.past.present).join(', ')}`;
}
