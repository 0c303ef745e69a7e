import { type Dialect, MachineUnreadable } from '../dialects/dialect.ts';
import { isPast } from '../dialects/passed-phases.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import { readOr } from '../kubernetes/read-or.ts';
import { type Checkpoint, usableCheckpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import { presentAt, withoutFuture } from '../machine/timestamps.ts';
import { observeReferred } from '../observe/owned-object.ts';
import { observeAgain, observeUnheld } from '../observe/recheck.ts';
import { observeUnawaited } from '../observe/unawaited-volumes.ts';
import { observeDetach } from '../observe/volume-detach.ts';
import type { Subject } from '../phase/definition.ts';
import { mustDrainAgain, podsAgain, schedulableAgain } from '../phase/retreat.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { advanced, firstCheckpoint, retreated } from '../phase/transitions.ts';
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
  /** Undefined plans from the first phase on. */
  saved: Checkpoint | undefined;
}

/** What a plan is made of. `unsure`: what could not be read and would matter. */
type PlannedSubject = Subject & { unsure?: string };

/** A Machine as its deletion goes on from now. Throws Unavailable. */
export async function plannedSubject(
  env: Environment,
  { machine, dialect, saved }: Found,
): Promise<PlannedSubject> {
  const { unsure, ...surroundings } = await surroundingsFor(env, machine, dialect);
  const sought = await findNode(env, { machine, dialect, saved, surroundings });
  const now = env.clock.now();
  const checkpoint = saved ?? beginning(machine, dialect, now);
  return { dialect, surroundings, checkpoint, ...sought, ...(unsure !== undefined && { unsure }) };
}

/** Without its Cluster a Machine is planned as if nothing were wrong there, and that is said. */
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
  const [first] = dialect.phases;
  if (first === undefined) throw new MachineUnreadable(`${dialect.name} has no phases`);
  const leg = { phase: first, skipped: [] };
  return firstCheckpoint(machine.ref.uid, leg, now, dialect.startTimes(machine));
}

/** Where Pods have appeared on the Node again, or volumes, the deletion goes back to the drain, or to the wait for them. */
export async function steppedBack(snapshot: Snapshot, subject: Subject): Promise<Subject> {
  const to = await orUnread(
    () => stepBack(snapshot, subject),
    () => undefined,
  );
  return to === undefined
    ? subject
    : { ...subject, checkpoint: retreated(subject.checkpoint, to, snapshot.now()) };
}

async function stepBack(snapshot: Snapshot, subject: Subject): Promise<Phase | undefined> {
  const { machine, dialect, checkpoint } = subject;
  if (checkpoint.phase === 'pre-terminate' && dialect.hooks(machine, 'pre-terminate').length === 0)
    return (await readOr(undefined, () => observeUnheld(snapshot, subject)))?.to;
  if (checkpoint.phase === 'infrastructure') {
    // What is wrong with it is said at its own phase.
    const seen = await readOr(undefined, () => observeReferred(snapshot, machine, 'infrastructure'));
    return seen && (await observeAgain(snapshot, subject, seen))?.to;
  }
  if (checkpoint.phase !== 'volume-detach') return undefined;
  const seen = await observeDetach(snapshot, subject);
  if (seen.kind === 'schedulable') return schedulableAgain.to;
  if ('verdicts' in seen && mustDrainAgain(subject, seen.verdicts, snapshot.now())) return podsAgain.to;
  return (await observeUnawaited(snapshot, subject, seen))?.to;
}

/**
 * The subject as it comes to a phase that is not behind: the time limit of one that has begun goes on, others begin now.
 * What the phases in between leave undone is not known, so none of them is taken up again.
 * @param drained the UID of the Node that is drained on the way
 */
export function comingTo(phase: Phase, subject: Subject, now: Instant, drained?: string): Subject {
  const { machine, dialect, checkpoint } = subject;
  if (checkpoint.phase === phase) return subject;
  const leg = { phase, skipped: [] };
  const startTimes = dialect.startTimes(machine);
  const node = drained ?? checkpoint.node;
  const next = advanced(checkpoint, { as: 'timed-out', leg, now, startTimes, node });
  const drain = { as: drained === undefined ? 'excluded' : 'timed-out', since: checkpoint.since } as const;
  const passed = isPast(checkpoint, 'drain') ? next.passed : { ...next.passed, drain };
  return { ...subject, checkpoint: withoutFuture({ ...next, passed }, presentAt(machine, now)) };
}
