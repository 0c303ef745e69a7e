import type { Dialect } from '../dialects/dialect.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
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
    const as = dialect.isDone(machine, phase) ? 'done' : skipping[phase](machine, dialect, nodeDeletion);
    if (as === undefined) return { phase, skipped };
    skipped.push({ phase, as });
  }
  // finalize always applies, so this is reached only after it.
  return { phase: 'finalize', skipped };
}

type Skipping = (machine: Machine, dialect: Dialect, nodeDeletion: NodeDeletion) => PhaseOutcome | undefined;

const never: Skipping = () => undefined;

const skipping: Record<Phase, Skipping> = {
  'pre-drain': (machine, dialect, nodeDeletion) => {
    if (!nodeDeletion.allowed) return 'not-applicable';
    return dialect.hooks(machine, 'pre-drain').length === 0 ? 'done' : undefined;
  },
  drain: (machine, dialect, nodeDeletion) => {
    if (!nodeDeletion.allowed) return 'not-applicable';
    return dialect.isDrainExcluded(machine) ? 'excluded' : undefined;
  },
  'volume-detach': (machine, dialect, nodeDeletion) => {
    if (!nodeDeletion.allowed) return 'not-applicable';
    return dialect.isVolumeWaitExcluded(machine) ? 'excluded' : undefined;
  },
  'hand-over': never,
  'pre-terminate': (machine, dialect) =>
    dialect.hooks(machine, 'pre-terminate').length === 0 ? 'done' : undefined,
  infrastructure: never,
  bootstrap: (machine) => (machine.bootstrap === undefined ? 'done' : undefined),
  node: (_machine, _dialect, nodeDeletion) => (nodeDeletion.allowed ? undefined : 'not-applicable'),
  finalize: never,
};
