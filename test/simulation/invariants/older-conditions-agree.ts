import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isClusterApi } from '../../stories/stage/apis.ts';
import { conditionIn, conditionsOf, olderConditionsOf } from '../../stories/stage/told-machine.ts';
import type { Invariant } from './invariant.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** Of Cluster API: by what the newer condition gives as its reason, the older one that says the same. */
const olderOf: Readonly<Record<string, string>> = {
  WaitingForPreDrainHook: 'PreDrainDeleteHookSucceeded',
  DrainingNode: 'DrainingSucceeded',
  WaitingForVolumeDetach: 'VolumeDetachSucceeded',
  WaitingForPreTerminateHook: 'PreTerminateDeleteHookSucceeded',
};

/**
 * Like the peer, phaseout writes the start of the wait for volumes once. So the condition stays True if the wait is
 * repeated. Somebody may send the wait back. Phaseout itself returns to it when it no longer knows what is on the Node.
 */
const isLeftAlone = (older: string, { metadata: { uid = '' } }: KubeObject, off: Off): boolean =>
  older === 'VolumeDetachSucceeded' && (off.witness.isTampered(uid) || off.detached.has(uid));

interface Off {
  witness: Witness;
  /** UIDs of Machines whose volumes have come off once. */
  detached: ReadonlySet<string>;
}

/** As in the peer, the condition comes with the start of its step. The step has no start while its need is unknown. */
const startOf: Readonly<Record<string, string>> = {
  DrainingSucceeded: 'nodeDrainStartTime',
  VolumeDetachSucceeded: 'waitForNodeVolumeDetachStartTime',
};

const isYetToBegin = (older: string, machine: KubeObject): boolean => {
  const start = startOf[older];
  return start !== undefined && textAt(recordAt(machine, 'status', 'deletion'), start) === undefined;
};

export const olderConditionsAgree: Invariant = {
  name: 'what holds a Machine is told in the older conditions of Cluster API too',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const { present } = witness.past;
    const detached = new Set<string>();
    return {
      ...judgingCheckpoints(
        witness,
        ({ machine, newlyPassed }) => {
          if (newlyPassed.get('volume-detach') === 'done') detached.add(machine.metadata.uid ?? '');
          return undefined;
        },
        violated,
      ),
      stoodStill() {
        for (const plan of scenario.machines) {
          const machine = machineIn(present, plan);
          if (machine === undefined || !isClusterApi(machine) || !isDeleting(machine)) continue;
          const reason = textAt(conditionIn(conditionsOf(machine), 'Deleting'), 'reason') ?? '';
          const older = olderOf[reason];
          if (older === undefined) continue;
          const status = textAt(conditionIn(olderConditionsOf(machine), older), 'status') ?? 'not there';
          if (status === 'not there' && isYetToBegin(older, machine)) continue;
          if (
            status !== 'False' &&
            !(status === 'True' && isLeftAlone(older, machine, { witness, detached }))
          )
            violated(`${titleOf(plan)} is held (${reason}), and its condition ${older} is ${status}`);
        }
      },
    };
  },
};
