import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../shared/dialects/fields.ts';
import { conditionIn, conditionsOf } from '../../../stories/stage/told-machine.ts';

const phases: Readonly<Record<string, string>> = {
  WaitingForPreDrainHook: 'pre-drain',
  DrainingNode: 'drain',
  WaitingForVolumeDetach: 'volume-detach',
  WaitingForPreTerminateHook: 'pre-terminate',
  WaitingForInfrastructureDeletion: 'infrastructure',
  WaitingForBootstrapDeletion: 'bootstrap',
};

/** Where a deletion stands by the word of Cluster API's own controller. */
export const phaseOfPeer = (machine: KubeObject): string | undefined =>
  phases[textAt(conditionIn(conditionsOf(machine), 'Deleting'), 'reason') ?? ''];
