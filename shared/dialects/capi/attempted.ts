import type { Machine } from '../../machine/machine.ts';
import { isOfFormer } from '../../machine/timestamps.ts';
import { type ConditionList, find } from '../conditions.ts';
import { conditionsSaid } from './all-conditions.ts';
import { startTimes } from './deletion-times.ts';

/** Without what a former Machine of that name has left. In v1beta1 the time moves with all that a condition says. */
const saidOfIt = (machine: Machine): ConditionList =>
  conditionsSaid(machine).filter(({ lastTransitionTime }) => !isOfFormer(machine, lastTransitionTime));

/** Releases before the time of that wait have the condition alone. */
export const hasWaitedForHooks = (machine: Machine): boolean =>
  startTimes(machine)['pre-terminate'] !== undefined ||
  find(saidOfIt(machine), 'PreTerminateDeleteHookSucceeded')?.status === 'False';
