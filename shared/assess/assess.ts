import { phasesOn } from '../dialects/beside/phases.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Observed } from '../dialects/gate.ts';
import { readOr } from '../kubernetes/errors.ts';
import { type Checkpoint, isPast, passing } from '../machine/checkpoint.ts';
import { isDeleting, type Machine, type MachineRef } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { Report } from '../machine/report.ts';
import { observeHooksAhead } from '../observe/hooks.ts';
import type { Subject } from '../phase/definition.ts';
import { heldBy, pausedOrInvalid } from '../phase/guard.ts';
import { retreated } from '../phase/transitions.ts';
import { dialectOf, machineResource } from '../read/machine.ts';
import { sourcesFor } from '../read/open-snapshot.ts';
import { ClusterMissing } from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';
import { assessPhases } from './assess-phases.ts';
import type { AssessedPhase, Assessment, Phases } from './assessment.ts';
import { Foresight } from './foresight.ts';
import { lookOnNode } from './on-node.ts';
import { standing, subjectFor } from './subject.ts';

/** What is known beside the cluster. */
export interface KnownBeside {
  /** Where the deletion stands that the API's own controller carries on: it leaves no checkpoint. */
  stands?: Checkpoint | undefined;
  /** Budgets that nothing has computed where this is looked at, by `namespace/name`. */
  uncomputed?: ReadonlySet<string>;
}

/**
 * Assesses the deletion of a Machine, touching nothing; undefined when there is no such Machine. Throws Unavailable and
 * MachineUnreadable as the run would.
 */
export async function assess(
  env: Environment,
  phases: Phases,
  wanted: Pick<MachineRef, 'apiVersion' | 'namespace' | 'name'>,
  { stands, uncomputed = new Set() }: KnownBeside = {},
): Promise<Assessment | undefined> {
  const ref = { ...wanted, uid: '' };
  const dialect = dialectOf(env, ref);
  const { namespace, name } = ref;
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  if (raw === undefined) return undefined;
  const machine = dialect.read(raw);
  const saved = stands ?? standing(machine, dialect, env.clock.now());
  const found = { machine, dialect, now: env.clock.now(), ...(saved !== undefined && { stands: saved }) };
  const letGo = letGoOf(machine, dialect, saved);
  if (letGo !== undefined) return nothing(found, letGo);
  try {
    const { unsure, ...subject } = await subjectFor(env, { machine, dialect, saved });
    const assessed = await assessSubject(env, { phases, uncomputed }, subject);
    return { ...found, ...assessed, unsure: unsure === undefined ? [] : [unsure] };
  } catch (error) {
    if (!(error instanceof ClusterMissing)) throw error;
    const held: Report = { reason: 'InternalError', message: error.message };
    return nothing(found, { held, does: 'wait', why: 'not without the Cluster' });
  }
}

async function assessSubject(
  env: Environment,
  { phases, uncomputed }: { phases: Phases; uncomputed: ReadonlySet<string> },
  found: Subject,
): Promise<Omit<Assessment, 'dialect' | 'now' | 'stands' | 'unsure'>> {
  const snapshot = new Foresight(sourcesFor(env, found));
  const subject = await steppedBack(phases, snapshot, found);
  const there = await lookOnNode(snapshot, subject);
  const ownNode = there.node?.metadata.uid;
  const assessing = { phases, snapshot, uncomputed, ownNode };
  const { assessed, found: more } = await assessPhases(assessing, subject);
  // One that cannot be read is noted by who reads, and holds at its own phase.
  const hooksAhead = await readOr(undefined, () => observeHooksAhead(snapshot, subject));
  const held = pausedOrInvalid(subject);
  const { infrastructure, bootstrap } = snapshot.observed;
  return {
    machine: subject.machine,
    held: held === undefined ? [] : [held.report],
    phases: assessed,
    mayTouchNode: subject.nodeDeletion.allowed,
    onNode: { ...there, ...more },
    ...(hooksAhead !== undefined && { hooksAhead }),
    infrastructure,
    bootstrap,
  };
}

/** Why nothing is looked at for a Machine, and what becomes of the phases that are left. */
interface Nothing {
  held: Report;
  does: 'skip' | 'wait';
  why: string;
}

/** A Machine without our finalizer is not ours to finish. */
function letGoOf(machine: Machine, dialect: Dialect, saved: Checkpoint | undefined): Nothing | undefined {
  const { finalizer } = dialect;
  if (!isDeleting(machine) || machine.finalizers.includes(finalizer)) return undefined;
  const why = `the finalizer ${finalizer} is not on the Machine`;
  const reason = saved?.phase === 'finalize' ? 'DeletionCompleted' : 'Deleting';
  const message = `${why}: those of others keep it: ${machine.finalizers.join(', ')}`;
  return { held: { reason, message }, does: 'skip', why };
}

const unseen: Observed = { kind: 'unseen' };

function nothing(
  found: Pick<Assessment, 'machine' | 'dialect' | 'now' | 'stands'>,
  { held, does, why }: Nothing,
): Assessment {
  const { dialect, stands } = found;
  const phases = phasesOn(found.machine, dialect).map(
    (phase): AssessedPhase =>
      stands !== undefined && isPast(stands, phase)
        ? { phase, kind: 'passed', as: passing(stands, phase) ?? 'done' }
        : { phase, kind: 'left', does, why },
  );
  return {
    ...found,
    held: [held],
    phases,
    mayTouchNode: false,
    onNode: { message: '', considersAttachments: false },
    infrastructure: unseen,
    bootstrap: unseen,
    unsure: [],
  };
}

/** From these the deletion may go back. */
const returning: readonly Phase[] = ['volume-detach', 'hand-over', 'pre-terminate', 'infrastructure'];

/** Pods may have appeared on the Node again, or volumes. The deletion's phase then decides that it goes back. */
async function steppedBack(phases: Phases, snapshot: Foresight, subject: Subject): Promise<Subject> {
  const { checkpoint } = subject;
  const { phase } = checkpoint;
  if (!returning.includes(phase) || heldBy('pre-terminate', subject, snapshot.now()) !== undefined)
    return subject;
  // What is wrong with what it reads is said at its own phase.
  const look = await readOr(undefined, () => phases[phase].look(snapshot, subject));
  const decision = look?.decide(snapshot.now());
  if (decision?.kind !== 'retreat') return subject;
  return { ...subject, checkpoint: retreated(checkpoint, decision.to, snapshot.now()) };
}
