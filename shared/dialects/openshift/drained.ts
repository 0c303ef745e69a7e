import { conditionsFrom, find } from '../condition-list.ts';
import { recordAt } from '../fields.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Phase } from '../../machine/phase.ts';

export const drainedType = 'Drained';

/** The Machine's own word, whoever gave it: once true it is never asked again. */
export const isDrained = ({ raw }: Machine): boolean =>
  find(conditionsFrom(recordAt(raw, 'status')['conditions']), drainedType)?.status === 'True';

/** So a deletion that another controller began, or whose checkpoint was lost, is not drained twice. */
export const isDone = (machine: Machine, phase: Phase): boolean =>
  (phase === 'pre-drain' || phase === 'drain') && isDrained(machine);
