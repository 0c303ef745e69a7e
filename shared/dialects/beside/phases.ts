import { isDeleting, type Machine } from '../../machine/machine.ts';
import type { Phase } from '../../machine/phase.ts';
import type { Beside, Dialect } from '../dialect.ts';
import { hasHook, type OurHook } from './hook.ts';

/**
 * The phases that the deletion of this Machine has. Beside the API's own controller, these are those that a hook of ours on it
 * holds. One that is gone holds nothing any more.
 */
export function phasesOn(machine: Machine, { phases, beside }: Dialect): readonly Phase[] {
  if (beside === undefined) return phases;
  const { PreDrain, PreTerminate } = beside.hooks;
  if (!hasHook(machine.raw, PreTerminate)) return phases.filter((phase) => phase !== 'pre-terminate');
  return !isDeleting(machine) || hasHook(machine.raw, PreDrain) ? phases : ['pre-terminate'];
}

/** Our hook that holds a Machine in this phase. */
export const hookIn = (phase: Phase, { hooks }: Beside): OurHook =>
  phase === 'pre-terminate' ? hooks.PreTerminate : hooks.PreDrain;

/** What holds a Machine in this phase, for people. */
export const holdIn = (phase: Phase, { beside, hold }: Dialect): string =>
  beside === undefined ? hold.name : `the hook ${hookIn(phase, beside).name}`;

/** Whether the API's own controller has come to our hook before the end of the server. What is unknown is not so. */
export const isAtPreTerminate = (machine: Machine, { beside }: Dialect): boolean =>
  isDeleting(machine) && beside?.isAtPreTerminate(machine) === true;
