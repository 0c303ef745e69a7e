import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { isClusterApi, isOpenShift } from '../../stories/stage/apis.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import type { Actor } from './sight/actor.ts';
import { lackOf } from './sight/checkpoint.ts';
import { judging, judgingServers } from './sight/judging.ts';
import { machineIn, saysDrained } from './sight/machine.ts';
import { machineRead, witnessOf } from './sight/witness.ts';

export const infrastructureAfterDrain: Invariant = {
  name: 'infrastructure is deleted only with drain and volumes passed, for a cause that is on record',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const tooEarly = (actor: Actor, plan: MachinePlan): string | undefined => {
      const isReady = witness.wasSoLately(actor, [machineRead(plan)], (view) => {
        const machine = machineIn(view, plan);
        return machine === undefined || lackOn(machine) === undefined;
      });
      const machine = machineIn(witness.past.present, plan);
      return isReady ? undefined : machine && lackOn(machine);
    };
    return {
      ...judging(
        witness,
        ['delete infrastructure'],
        ({ plan, actor }) => plan && tooEarly(actor, plan),
        violated,
      ),
      ...judgingServers(
        witness,
        ({ actor, plan, machine }) => (isOpenShift(machine) ? tooEarly(actor, plan) : undefined),
        violated,
      ),
    };
  },
};

function lackOn(machine: KubeObject): string | undefined {
  const wanted = isClusterApi(machine) ? ['drain', 'volume-detach'] : ['drain'];
  const isSaid = isOpenShift(machine) && saysDrained(machine);
  return lackOf(machine, 'infrastructure', isSaid ? [] : wanted);
}
