import type { Machine } from '../../machine/machine.ts';
import type { Phase } from '../../machine/phase.ts';
import { isOfFormer } from '../../machine/timestamps.ts';
import { conditionsFrom, find } from '../conditions.ts';
import { recordAt } from '../fields.ts';

/** The type of the condition that says so. */
export const drainedType = 'Drained';

/** The Machine's own word: once true, the Node is never asked again. */
export function isDrained(machine: Machine): boolean {
  const said = find(conditionsFrom(recordAt(machine.raw, 'status')['conditions']), drainedType);
  return said?.status === 'True' && !isOfFormer(machine, said.lastTransitionTime);
}

/** So a deletion that another controller began, or whose checkpoint was lost, is not drained twice. */
export const isDone = (machine: Machine, phase: Phase): boolean =>
  (phase === 'pre-drain' || phase === 'drain') && isDrained(machine);
