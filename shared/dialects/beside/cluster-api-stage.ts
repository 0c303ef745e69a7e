import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Phase } from '../../machine/phase.ts';
import { conditionsFrom, find } from '../conditions.ts';
import { recordAt } from '../fields.ts';

/** The reasons that Cluster API's own controller shows while it deletes a Machine. */
const phaseOf: ReadonlyMap<string | undefined, Phase> = new Map([
  ['WaitingForPreDrainHook', 'pre-drain'],
  ['DrainingNode', 'drain'],
  ['WaitingForVolumeDetach', 'volume-detach'],
  ['WaitingForPreTerminateHook', 'pre-terminate'],
  ['WaitingForInfrastructureDeletion', 'infrastructure'],
  ['WaitingForBootstrapDeletion', 'bootstrap'],
  ['DeletingNode', 'node'],
  ['DeletionCompleted', 'finalize'],
]);

/** Where a Machine of Cluster API shows its own controller to be; undefined where it shows nothing that is known. */
export function peerStage({ status }: KubeObject): { phase: Phase; message: string } | undefined {
  const lists = [recordAt(status), recordAt(status, 'v1beta2')].map(({ conditions }) =>
    conditionsFrom(conditions),
  );
  const shown = lists.flatMap((list) => find(list, 'Deleting') ?? []).find((each) => each.status === 'True');
  const phase = phaseOf.get(shown?.reason);
  return phase === undefined ? undefined : { phase, message: shown?.message ?? '' };
}
