import type { Checkpoint } from '../machine/checkpoint.ts';
import { isBefore, type Phase } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';

/**
 * How a phase was passed. One that was stepped back before, or that the Machine is in, is not passed, whatever the
 * checkpoint still remembers of it.
 */
export const passing = (checkpoint: Checkpoint, phase: Phase): PhaseOutcome | undefined =>
  isBefore(phase, checkpoint.phase) ? checkpoint.passed[phase]?.as : undefined;

const nodePhases: readonly Phase[] = ['pre-drain', 'drain', 'volume-detach', 'node'];

/**
 * Whether the checkpoint shows that the Machine's Node may be touched: where it may not, every phase that would is
 * passed over, the first of them too.
 */
export function mayTouchNode(checkpoint: Checkpoint): boolean {
  if (isPast(checkpoint, 'pre-drain') && passing(checkpoint, 'pre-drain') !== 'not-applicable') return true;
  return nodePhases.some((phase) => {
    const as = passing(checkpoint, phase);
    return checkpoint.phase === phase || (as !== undefined && as !== 'not-applicable');
  });
}

/** Whether the phase was passed, in whatever way. */
export const isPast = (checkpoint: Checkpoint, phase: Phase): boolean => isBefore(phase, checkpoint.phase);

export const hasReached = (checkpoint: Checkpoint, phase: Phase): boolean =>
  !isBefore(checkpoint.phase, phase);
