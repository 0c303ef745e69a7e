import { type ConditionList, find } from '../conditions.ts';
import { conditionsSaid } from './all-conditions.ts';
import { limitSecondsOf, type Machine } from '../../machine/machine.ts';
import type { Phase } from '../../machine/phase.ts';
import type { Reason } from '../../machine/reason.ts';
import { startTimes } from './deletion-times.ts';
import { isOfFormer } from '../../machine/timestamps.ts';

/** In v1beta1, also of releases that have no `status.deletion` yet. */
const conditionOf: Partial<Record<Phase, string>> = {
  drain: 'DrainingSucceeded',
  'volume-detach': 'VolumeDetachSucceeded',
};

/** Whether the status tells that the step was tried. Other phases have no time limit that would lose by it. */
export function isTried(machine: Machine, phase: Phase): boolean {
  if (phase === 'node') return isNodeTried(machine);
  const type = conditionOf[phase];
  if (type === undefined || startTimes(machine)[phase] !== undefined) return true;
  return find(saidOfIt(machine), type) !== undefined;
}

const reasonOf: Partial<Record<Phase, Reason>> = {
  drain: 'DrainingNode',
  'volume-detach': 'WaitingForVolumeDetach',
};

/** Whether the status tells of the step and of no beginning: it could not be known yet whether it is to be done. */
export const isPutOff = (machine: Machine, phase: Phase): boolean =>
  reasonOf[phase] !== undefined &&
  find(conditionsSaid(machine), 'Deleting')?.reason === reasonOf[phase] &&
  !isTried(machine, phase);

/**
 * Of a try that failed it is told until something else is said, with the time at which the deletion was first told of. A
 * negative limit is over before anybody tries.
 */
const isNodeTried = (machine: Machine): boolean =>
  limitSecondsOf('node', machine) < 0 || find(conditionsSaid(machine), 'Deleting')?.reason === 'DeletingNode';

/** Without what a former Machine of that name has left. In v1beta1 the time moves with all that a condition says. */
const saidOfIt = (machine: Machine): ConditionList =>
  conditionsSaid(machine).filter(({ lastTransitionTime }) => !isOfFormer(machine, lastTransitionTime));

/** Releases before the time of that wait have the condition alone. */
export const hasWaitedForHooks = (machine: Machine): boolean =>
  startTimes(machine)['pre-terminate'] !== undefined ||
  find(saidOfIt(machine), 'PreTerminateDeleteHookSucceeded')?.status === 'False';
