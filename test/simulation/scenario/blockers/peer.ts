import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../shared/dialects/fields.ts';
import { isOpenShift } from '../../../stories/stage/apis.ts';
import { conditionIn, conditionsOf } from '../../../stories/stage/told-machine.ts';

const phases: Readonly<Record<string, string>> = {
  WaitingForPreDrainHook: 'pre-drain',
  DrainingNode: 'drain',
  WaitingForVolumeDetach: 'volume-detach',
  WaitingForPreTerminateHook: 'pre-terminate',
  WaitingForInfrastructureDeletion: 'infrastructure',
  WaitingForBootstrapDeletion: 'bootstrap',
};

/** Where a deletion stands by the word of the API's own controllers. */
export const phaseOfPeer = (machine: KubeObject): string | undefined =>
  isOpenShift(machine)
    ? phaseOfOpenShift(machine)
    : phases[textAt(conditionIn(conditionsOf(machine), 'Deleting'), 'reason') ?? ''];

/** All that OpenShift's say is whether the drain is done. */
const phaseOfOpenShift = (machine: KubeObject): string =>
  textAt(conditionIn(conditionsOf(machine), 'Drained'), 'status') === 'True' ? 'infrastructure' : 'drain';
