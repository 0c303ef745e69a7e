import { phasesOn } from '../dialects/beside/phases.ts';
import { type Dialect, MachineUnreadable } from '../dialects/dialect.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import { type Checkpoint, usableCheckpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import { presentAt, withoutFuture } from '../machine/timestamps.ts';
import type { Subject } from '../phase/definition.ts';
import { advanced, firstCheckpoint } from '../phase/transitions.ts';
import { findNode } from '../read/find-node.ts';
import { surroundingsOf, unseenSurroundings, withControlPlane } from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';
import { orUnread } from './unread.ts';

/** Where the deletion of a Machine stands; undefined where it has not begun. */
export function standing(machine: Machine, { phases }: Dialect, now: Instant): Checkpoint | undefined {
  const saved = usableCheckpoint(machine, phases);
  return saved && withoutFuture(saved, presentAt(machine, now));
}

interface Found {
  machine: Machine;
  dialect: Dialect;
  /** Undefined assesses from the first phase on. */
  saved: Checkpoint | undefined;
}

/** What is assessed. `unsure`: what could not be read and would matter. */
type AssessedSubject = Subject & { unsure?: string };

/** A Machine as its deletion goes on from now. Throws Unavailable. */
export async function subjectFor(
  env: Environment,
  { machine, dialect, saved }: Found,
): Promise<AssessedSubject> {
  const { unsure, ...surroundings } = await surroundingsFor(env, machine, dialect);
  const found = await findNode(env, { machine, dialect, saved, surroundings });
  const now = env.clock.now();
  const checkpoint = saved ?? beginning(machine, dialect, now);
  return { dialect, surroundings, checkpoint, ...found, ...(unsure !== undefined && { unsure }) };
}

/** Without its Cluster a Machine is assessed as if nothing were wrong there, and that is said. */
const surroundingsFor = (
  env: Environment,
  machine: Machine,
  dialect: Dialect,
): Promise<ClusterState & { unsure?: string }> =>
  orUnread<ClusterState & { unsure?: string }>(
    () => surroundingsOf(env, machine, dialect, { nodeDeletion: true }),
    async (unread) => ({
      ...(await withControlPlane(env, machine, dialect, unseenSurroundings)),
      unsure: `whether it is paused, and whether its Node may be touched, is unknown: ${unread}`,
    }),
  );

function beginning(machine: Machine, dialect: Dialect, now: Instant): Checkpoint {
  const [first] = phasesOn(machine, dialect);
  if (first === undefined) throw new MachineUnreadable(`${dialect.name} has no phases`);
  const leg = { phase: first, skipped: [] };
  return firstCheckpoint(machine.ref.uid, leg, now, dialect.startTimes(machine));
}

/** What is foreseen of the phases before one. */
export interface Foreseen {
  now: Instant;
  outcomes: Partial<Record<Phase, PhaseOutcome>>;
  /** UID of the Node that is drained on the way. */
  drained: string | undefined;
}

/**
 * The subject as it comes to a phase ahead. A time limit that has begun goes on, and others begin now. The phases before it
 * come out as foreseen.
 */
export function comingTo(phase: Phase, subject: Subject, { now, outcomes, drained }: Foreseen): Subject {
  const { machine, dialect, checkpoint } = subject;
  if (checkpoint.phase === phase) return subject;
  const leg = { phase, skipped: [] };
  const startTimes = dialect.startTimes(machine);
  const node = drained ?? checkpoint.node;
  const as = outcomes[checkpoint.phase] ?? 'done';
  const next = advanced(checkpoint, { as, leg, now, startTimes, node });
  const { since } = checkpoint;
  const foreseen = Object.entries(outcomes).map(([passed, how]) => [passed, { as: how, since }] as const);
  const passed: Checkpoint['passed'] = { ...Object.fromEntries(foreseen), ...next.passed };
  return { ...subject, checkpoint: withoutFuture({ ...next, passed }, presentAt(machine, now)) };
}
