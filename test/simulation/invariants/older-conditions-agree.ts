import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { isClusterApi } from '../../stories/stage/apis.ts';
import { conditionIn, conditionsOf, olderConditionsOf } from '../../stories/stage/told-machine.ts';
import type { Invariant } from './invariant.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** Of Cluster API: by what the newer condition gives as its reason, the older one that says the same. */
const olderOf: Readonly<Record<string, string>> = {
  WaitingForPreDrainHook: 'PreDrainDeleteHookSucceeded',
  DrainingNode: 'DrainingSucceeded',
  WaitingForVolumeDetach: 'VolumeDetachSucceeded',
  WaitingForPreTerminateHook: 'PreTerminateDeleteHookSucceeded',
};

/** By the facts it is said once, and what it says of volumes that came off stays where somebody sends the wait back. */
const isLeftAlone = (older: string, { metadata }: KubeObject, witness: Witness): boolean =>
  older === 'VolumeDetachSucceeded' && witness.isTampered(metadata.uid ?? '');

export const olderConditionsAgree: Invariant = {
  name: 'what holds a Machine is told in the older conditions of Cluster API too',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const { present } = witness.past;
    return {
      stoodStill() {
        for (const plan of scenario.machines) {
          const machine = machineIn(present, plan);
          if (machine === undefined || !isClusterApi(machine) || !isDeleting(machine)) continue;
          const reason = textAt(conditionIn(conditionsOf(machine), 'Deleting'), 'reason') ?? '';
          const older = olderOf[reason];
          if (older === undefined) continue;
          const status = textAt(conditionIn(olderConditionsOf(machine), older), 'status') ?? 'not there';
          if (status !== 'False' && !(status === 'True' && isLeftAlone(older, machine, witness)))
            violated(`${titleOf(plan)} is held (${reason}), and its condition ${older} is ${status}`);
        }
      },
    };
  },
};
