import type { Dialect } from '../dialects/dialect.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { Machine } from '../machine/machine.ts';
import { type Phase, recordOf } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';

/** The phase to go on with, and those that do not apply on the way. */
export interface NextPhase {
  phase: Phase;
  /** Phases on the way that do not apply to this Machine, and why. */
  skipped: { phase: Phase; as: PhaseOutcome }[];
}

/**
 * The next phase that applies to the Machine, after `from` or from the beginning. A phase that clearly does not
 * apply is not visited: each visit costs a write.
 */
export function nextPhase(
  machine: Machine,
  dialect: Dialect,
  nodeDeletion: NodeDeletion,
  from: Phase | undefined,
): NextPhase {
  const start = from === undefined ? 0 : dialect.phases.indexOf(from) + 1;
  const skipped: NextPhase['skipped'] = [];
  for (const phase of dialect.phases.slice(start)) {
    const as = dialect.isDone(machine, phase) ? 'done' : skippedAs(phase, machine, dialect, nodeDeletion);
    if (as === undefined) return { phase, skipped };
    skipped.push({ phase, as });
  }
  // finalize always applies, so this is reached only after it.
  return { phase: 'finalize', skipped };
}

/** How the phase is passed without a look. Undefined where it applies. */
function skippedAs(
  phase: Phase,
  machine: Machine,
  dialect: Dialect,
  nodeDeletion: NodeDeletion,
): PhaseOutcome | undefined {
  const { onNode = false, excludable, hooks, object, isOptional = false } = recordOf(phase);
  if (onNode && !nodeDeletion.allowed) return 'not-applicable';
  if (excludable === 'drain' && dialect.isDrainExcluded(machine)) return 'excluded';
  if (excludable === 'volume-detach' && dialect.isVolumeWaitExcluded(machine)) return 'excluded';
  if (hooks !== undefined && dialect.hooks(machine, hooks).length === 0) return 'done';
  return isOptional && object !== undefined && machine[object] === undefined ? 'done' : undefined;
}
