import type { Dialect } from '../dialects/dialect.ts';
import { podName } from '../kubernetes/pod.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { isDeleting, type Machine, type MachineRef } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import { pausedOrInvalid } from '../phase/guard.ts';
import { dialectOf, machineResource } from '../read/machine.ts';
import { openSnapshot } from '../read/open-snapshot.ts';
import { ClusterMissing } from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';
import type { DeletionPlan, PlannedHold, PlannedHook } from './deletion-plan.ts';
import { type Unknown, withoutNode } from './missing-node.ts';
import { planOutlook } from './outlook.ts';
import { type PlannedNode, planNode } from './plan-node.ts';
import type { Planned } from './plan-phase.ts';
import { passedBefore, planPhases } from './plan-phases.ts';
import { plannedSubject, standing, steppedBack } from './plan-subject.ts';
import { plannedPod, plannedRefusal, plannedVolumes } from './rows.ts';

/**
 * What deleting the Machine would do, or what is left to do where that has begun, touching nothing. The judgements are
 * the run's own; undefined when there is no such Machine. Throws Unavailable and MachineUnreadable as the run would.
 */
export async function planDeletion(
  env: Environment,
  wanted: Pick<MachineRef, 'apiVersion' | 'namespace' | 'name'>,
  unknown: Unknown = { isNodeMissing: false },
): Promise<DeletionPlan | undefined> {
  const ref = { ...wanted, uid: '' };
  const dialect = dialectOf(env, ref);
  const { namespace, name } = ref;
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  if (raw === undefined) return undefined;
  const machine = dialect.read(raw);
  const saved = unknown.stands ?? standing(machine, dialect, env.clock.now());
  const letGo = letGoOf(machine, dialect, saved);
  if (letGo !== undefined) return { ...planNothing(machine, dialect, saved, letGo), ...standsAt(saved) };
  try {
    const { unsure, ...subject } = await plannedSubject(env, { machine, dialect, saved });
    const planned = await planSubject(env, subject, { ...unknown, unsure });
    return { ...planned, ...standsAt(saved) };
  } catch (error) {
    if (!(error instanceof ClusterMissing)) throw error;
    const why = { reason: 'InternalError', message: error.message } as const;
    const nothing = { held: why, does: 'wait', why: 'not without the Cluster' } as const;
    return { ...planNothing(machine, dialect, saved, nothing), ...standsAt(saved) };
  }
}

const standsAt = (saved: Checkpoint | undefined): Pick<DeletionPlan, 'stands'> =>
  saved === undefined ? {} : { stands: { phase: saved.phase, since: saved.since } };

async function planSubject(
  env: Environment,
  found: Subject,
  { unsure, ...unknown }: Unknown & { unsure: string | undefined },
): Promise<DeletionPlan> {
  const snapshot = openSnapshot(env, found);
  const subject = await steppedBack(snapshot, found);
  const drained = await planNode(snapshot, subject);
  const phases = withoutNode(await planPhases(snapshot, subject, drained), subject, {
    ...drained,
    ...unknown,
  });
  return {
    machine: subject.machine.ref,
    held: plannedHolds(subject),
    phases,
    pods: drained.verdicts.map(plannedPod),
    batches: drained.plan.batches.map(({ order, pods }) => ({ order, pods: pods.map(podName) })),
    refusals: drained.plan.evictNow.flatMap((pod) => plannedRefusal(pod, drained.answers)),
    volumes: plannedVolumes(drained.volumes, drained.attachments),
    hooks: plannedHooks(subject),
    ...(await planOutlook(snapshot, subject, drained, phases)),
    ...unsureOf(unsure, drained),
    message: drained.message,
  };
}

function unsureOf(unsure: string | undefined, { budgetsUnread }: PlannedNode): Pick<DeletionPlan, 'unsure'> {
  const refused = budgetsUnread && `what budgets would refuse is unknown: ${budgetsUnread}`;
  const all = [unsure, refused].filter((sentence) => sentence !== undefined);
  return all.length === 0 ? {} : { unsure: all };
}

/** Why nothing is looked at for a Machine, and what becomes of the phases that are left. */
type Nothing = Planned & { held: PlannedHold };

/** A Machine without our finalizer is not ours to finish. */
function letGoOf(machine: Machine, dialect: Dialect, saved: Checkpoint | undefined): Nothing | undefined {
  const { finalizer } = dialect;
  if (!isDeleting(machine) || machine.finalizers.includes(finalizer)) return undefined;
  const why = `the finalizer ${finalizer} is not on the Machine`;
  const reason = saved?.phase === 'finalize' ? 'DeletionCompleted' : 'Deleting';
  const message = `${why}: those of others keep it: ${machine.finalizers.join(', ')}`;
  return { held: { reason, message }, does: 'skip', why };
}

/** There is nothing else to say of such a Machine. */
function planNothing(
  { ref }: Machine,
  dialect: Dialect,
  saved: Checkpoint | undefined,
  { held, ...left }: Nothing,
): DeletionPlan {
  return {
    machine: ref,
    held: [held],
    phases: dialect.phases.map((phase) => ({ phase, ...(passedBefore(phase, saved) ?? left) })),
    pods: [],
    batches: [],
    refusals: [],
    volumes: [],
    hooks: [],
    message: '',
  };
}

function plannedHolds(subject: Subject): PlannedHold[] {
  const report = pausedOrInvalid(subject)?.report;
  return report === undefined ? [] : [{ reason: report.reason, message: report.message }];
}

function plannedHooks({ machine, dialect, nodeDeletion }: Subject): PlannedHook[] {
  const at = (point: PlannedHook['point']): PlannedHook[] =>
    dialect.hooks(machine, point).map((name) => {
      const owner = dialect.hookOwner(machine, point, name);
      return { point, name, ...(owner !== undefined && { owner }) };
    });
  return [...(nodeDeletion.allowed ? at('pre-drain') : []), ...at('pre-terminate')];
}
