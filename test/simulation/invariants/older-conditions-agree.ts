import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isClusterApi } from '../../stories/stage/apis.ts';
import { conditionsOf } from '../../stories/stage/told-machine.ts';
import type { Invariant } from './invariant.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** Of Cluster API: by what the newer condition gives as its reason, the older one that says the same. */
const olderOf: Readonly<Record<string, string>> = {
  WaitingForPreDrainHook: 'PreDrainDeleteHookSucceeded',
  DrainingNode: 'DrainingSucceeded',
  WaitingForVolumeDetach: 'VolumeDetachSucceeded',
  WaitingForPreTerminateHook: 'PreTerminateDeleteHookSucceeded',
};

export const olderConditionsAgree: Invariant = {
  name: 'what holds a Machine is told in the older conditions of Cluster API too',
  watch(world, scenario, violated) {
    const { present } = witnessOf(world, scenario).past;
    return {
      stoodStill() {
        for (const plan of scenario.machines) {
          const machine = machineIn(present, plan);
          if (machine === undefined || !isClusterApi(machine) || !isDeleting(machine)) continue;
          const reason = textAt(find(conditionsOf(machine), 'Deleting'), 'reason') ?? '';
          const older = olderOf[reason];
          if (older === undefined) continue;
          const status = textAt(find(olderConditions(machine), older), 'status') ?? 'not there';
          if (status !== 'False')
            violated(`${titleOf(plan)} is held (${reason}), and its condition ${older} is ${status}`);
        }
      },
    };
  },
};

const find = (conditions: readonly unknown[], wanted: string): unknown =>
  conditions.find((condition) => textAt(condition, 'type') === wanted);

/** In the older version of the API they stand where the newer ones stand in the newer version. */
function olderConditions(machine: KubeObject): readonly unknown[] {
  const isOld = machine.apiVersion?.endsWith('/v1beta1') === true;
  const { conditions } = isOld
    ? recordAt(machine, 'status')
    : recordAt(machine, 'status', 'deprecated', 'v1beta1');
  return Array.isArray(conditions) ? conditions : [];
}
