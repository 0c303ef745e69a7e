import { phasesOn } from '../dialects/beside/phases.ts';
import type { Dialect, HookPoint } from '../dialects/dialect.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { Machine } from '../machine/machine.ts';
import { isBefore, type Phase, recordOf } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import type { Subject } from './definition.ts';

/** The phase to go on with, and those that do not apply on the way. */
export interface NextPhase {
  phase: Phase;
  /** Phases on the way that do not apply to this Machine, and why. */
  skipped: { phase: Phase; as: PhaseOutcome }[];
}

/**
 * The next phase that applies to the Machine, after `from` or from the beginning. A phase that clearly does not
 * apply is not visited: each visit costs a write.
 * @param asksAt where DeletionHooks are asked for the Machine, or may be: these phases are visited in any case
 */
export function nextPhase(
  machine: Machine,
  dialect: Dialect,
  nodeDeletion: NodeDeletion,
  { from, asksAt = [] }: { from?: Phase | undefined; asksAt?: readonly HookPoint[] } = {},
): NextPhase {
  const start = from === undefined ? 0 : dialect.phases.indexOf(from) + 1;
  const skipped: NextPhase['skipped'] = [];
  const held = phasesOn(machine, dialect);
  for (const phase of dialect.phases.slice(start).filter((each) => held.includes(each))) {
    if (asksAt.some((point) => point === phase) || endsWithOurHook(phase, dialect)) return { phase, skipped };
    const as = dialect.isDone(machine, phase) ? 'done' : skippedAs(phase, machine, dialect, nodeDeletion);
    if (as === undefined) return { phase, skipped };
    skipped.push({ phase, as });
  }
  // finalize always applies, so this is reached only after it.
  return { phase: 'finalize', skipped };
}

/** Beside the API's own controller: somebody has to take our hook off. */
const endsWithOurHook = (phase: Phase, { beside }: Dialect): boolean =>
  phase === 'pre-terminate' && beside !== undefined;

/** Whether the way to the next phase leads past the hooks of a point that is still ahead. */
export function leadsPast(
  point: HookPoint,
  { machine, dialect, nodeDeletion, checkpoint }: Omit<Subject, 'surroundings'>,
): boolean {
  if (!isBefore(checkpoint.phase, point)) return false;
  return isBefore(point, nextPhase(machine, dialect, nodeDeletion, { from: checkpoint.phase }).phase);
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
