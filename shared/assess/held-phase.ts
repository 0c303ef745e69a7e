import { isAtPreTerminate, phasesOn } from '../dialects/beside/phases.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';

/** Our hook before the end of the server is left, and the API's own controller has not come to it. */
export function isAheadOfHooks(machine: Machine, dialect: Dialect, saved: Checkpoint | undefined): boolean {
  const phase = heldPhase(saved, machine, dialect);
  return phase === 'pre-terminate' && !isAtPreTerminate(machine, dialect);
}

/** The phase that a hook of ours holds it in. */
export function heldPhase(saved: Checkpoint | undefined, machine: Machine, dialect: Dialect): Phase {
  const [first = 'pre-drain', ...more] = phasesOn(machine, dialect);
  return saved !== undefined && (dialect.beside === undefined || [first, ...more].includes(saved.phase))
    ? saved.phase
    : first;
}
