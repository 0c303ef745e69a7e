import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { isClusterApi, isOpenShift } from '../../stories/stage/apis.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { judging } from './sight/effect.ts';
import { machineIn, saysDrained } from './sight/machine.ts';
import type { Actor } from './sight/reads.ts';
import { machineRead, witnessOf } from './sight/witness.ts';

export const infrastructureAfterDrain: Invariant = {
  name: 'infrastructure is deleted only with drain and volumes passed, for a cause that is on record',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const tooEarly = (actor: Actor, plan: MachinePlan): string | undefined => {
      const isReady = witness.wasSoLately(actor, [machineRead(plan)], (view) => {
        const machine = machineIn(view, plan);
        return machine === undefined || missingOn(machine).length === 0;
      });
      if (isReady) return undefined;
      const machine = machineIn(witness.past.present, plan);
      return machine && `its checkpoint does not say how these were passed: ${missingOn(machine).join(', ')}`;
    };
    return {
      ...judging(
        witness,
        ['delete infrastructure'],
        ({ plan, actor }) => plan && tooEarly(actor, plan),
        violated,
      ),
      provider({ instance, operation, machine }) {
        const { uid: machineUid = '', name } = machine.metadata;
        const plan = scenario.machines.find((one) => witness.lastOf(one)?.metadata.uid === machineUid);
        if (operation !== 'delete' || plan === undefined || !isOpenShift(machine)) return;
        const why = tooEarly({ instance, machineUid }, plan);
        if (why !== undefined) violated(`the provider is asked to delete the server of ${name}: ${why}`);
      },
    };
  },
};

/** Phases before the infrastructure that nothing says to be passed. */
function missingOn(machine: KubeObject): string[] {
  const stand = standOf(machine);
  if (stand?.phase !== 'infrastructure') return [`all: it stands at ${stand?.phase ?? 'nothing'}`];
  const wanted = isClusterApi(machine) ? ['drain', 'volume-detach'] : ['drain'];
  if (isOpenShift(machine) && saysDrained(machine)) return [];
  return wanted.filter((phase) => !stand.passed.has(phase));
}
