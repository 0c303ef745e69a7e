import type { Condition } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { type Phase, phasesOf, reasonsOf } from '../../machine/phase.ts';
import { isOfFormer } from '../../machine/timestamps.ts';
import { conditionsIn } from '../conditions.ts';
import { recordAt } from '../fields.ts';
import type { PeerStage } from '../peer-stage.ts';
import { startTimes } from './deletion-times.ts';
import { oldStage, oldStartTimes } from './old-stage.ts';
import { listAt, placesOf } from './status.ts';

/**
 * Where a Machine of Cluster API shows its own controller to be; undefined where it shows nothing that is known. The condition
 * Deleting tells it since release 1.9.
 */
export function peerStage(machine: Machine): PeerStage | undefined {
  const deleting = deletingOn(machine);
  if (deleting.length === 0) return oldStage(machine, oldConditions(machine));
  const shown = deleting.find(({ status }) => status === 'True');
  const phase = phasesOf('capi').find((each) => reasonsOf(each)[0] === shown?.reason);
  if (phase === undefined) return undefined;
  const since = startTimes(machine)[phase];
  return { phase, message: shown?.message ?? '', ...(since !== undefined && { since }) };
}

/** When its own controller began phases, as the Machine shows it (RFC 3339). */
export const peerStartTimes = (machine: Machine): Partial<Record<Phase, string>> =>
  deletingOn(machine).length === 0 ? oldStartTimes(oldConditions(machine)) : startTimes(machine);

const deletingOn = ({ raw: { status } }: Machine): Condition[] =>
  conditionsIn(status).filter(({ type }) => type === 'Deleting');

/** Without those that a former Machine of that name has left. */
const oldConditions = (machine: Machine): Condition[] =>
  listAt({ ...recordAt(machine.raw, 'status') }, placesOf(machine.ref.apiVersion).v1Beta1).filter(
    ({ lastTransitionTime }) => !isOfFormer(machine, lastTransitionTime),
  );
