import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Config } from '../../../shared/runtime/config.ts';
import type { Invariant } from './invariant.ts';
import { farGrace, wasSoAround } from './sight/apart.ts';
import { whyTooLate } from './sight/gate.ts';
import { judging } from './sight/judging.ts';
import { isDrainUnwanted, machineIn } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { sendsPodsAway } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

export const drainsAreWanted: Invariant = {
  name: 'a Node is left as it is where its Machine is excluded from drains, or its server is on its way',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['cordon', ...sendsPodsAway],
      ({ plan, machine, actor }) => {
        if (plan === undefined || machine === undefined) return undefined;
        const why = (view: View): string | undefined =>
          whyNot(view, machineIn(view, plan) ?? machine, world.config);
        const isWanted = wasSoAround(
          witness,
          { actor, plan, machine },
          (view) => why(view) === undefined,
          farGrace,
        );
        return isWanted ? undefined : `this is nobody's wish, ${why(witness.past.present)}`;
      },
      violated,
    );
  },
};

const whyNot = (view: View, machine: KubeObject, config: Config): string | undefined =>
  isDrainUnwanted(machine, config) ? 'its Machine is excluded from drains' : whyTooLate(view, machine);
