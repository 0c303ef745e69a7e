import type { Dialect } from '../dialects/dialect.ts';
import { podName } from '../kubernetes/pod.ts';
import { holdOn } from '../machine/guard.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine, MachineRef } from '../machine/machine.ts';
import type { Subject } from '../phase-definition.ts';
import { ClusterMissing } from '../runtime/cluster-missing.ts';
import type { Environment } from '../runtime/environment.ts';
import { dialectOf, machineResource } from '../runtime/find-machine.ts';
import { lookAt } from '../runtime/turn.ts';
import type { DeletionPlan, PlannedHold, PlannedHook } from './deletion-plan.ts';
import { planNode } from './plan-node.ts';
import { passedBefore, planPhases } from './plan-phases.ts';
import { plannedSubject, standing, steppedBack } from './plan-subject.ts';
import { plannedPod, plannedRefusal, plannedVolumes } from './planned.ts';

/**
 * What deleting the Machine would do, or what is left to do where that has begun, touching nothing. The judgements are
 * the run's own; undefined when there is no such Machine. Throws CouldNotLook and MachineUnreadable as the run would.
 */
export async function planDeletion(
  env: Environment,
  wanted: Pick<MachineRef, 'apiVersion' | 'namespace' | 'name'>,
): Promise<DeletionPlan | undefined> {
  const ref = { ...wanted, uid: '' };
  const dialect = dialectOf(env, ref);
  const { namespace, name } = ref;
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  if (raw === undefined) return undefined;
  const machine = dialect.read(raw);
  const saved = standing(machine, dialect, env.clock.now());
  try {
    const planned = await planSubject(env, await plannedSubject(env, { machine, dialect, saved }));
    return { ...planned, ...standsAt(saved) };
  } catch (error) {
    if (!(error instanceof ClusterMissing)) throw error;
    return { ...planWithoutCluster(machine, dialect, saved, error.message), ...standsAt(saved) };
  }
}

const standsAt = (saved: Checkpoint | undefined): Pick<DeletionPlan, 'stands'> =>
  saved === undefined ? {} : { stands: { phase: saved.phase, since: saved.since } };

async function planSubject(env: Environment, found: Subject): Promise<DeletionPlan> {
  const look = lookAt(env, found);
  const subject = await steppedBack(look, found);
  const drained = await planNode(look, subject);
  return {
    machine: subject.machine.ref,
    held: plannedHolds(subject),
    phases: await planPhases(look, subject, drained),
    pods: drained.verdicts.map(plannedPod),
    batches: drained.plan.batches.map(({ order, pods }) => ({ order, pods: pods.map(podName) })),
    refusals: drained.plan.evictNow.flatMap((pod) => plannedRefusal(pod, drained.answers)),
    volumes: plannedVolumes(drained.volumes),
    hooks: plannedHooks(subject),
    message: drained.message,
  };
}

/** Nothing is looked at for such a Machine, so there is nothing else to say. */
function planWithoutCluster(
  { ref }: Machine,
  dialect: Dialect,
  saved: Checkpoint | undefined,
  why: string,
): DeletionPlan {
  const waits = { does: 'wait', why: 'not without the Cluster' } as const;
  const phases = dialect.phases.map((phase) => ({ phase, ...(passedBefore(phase, saved) ?? waits) }));
  const held: PlannedHold[] = [{ reason: 'InternalError', message: why }];
  return {
    machine: ref,
    held,
    phases,
    pods: [],
    batches: [],
    refusals: [],
    volumes: [],
    hooks: [],
    message: '',
  };
}

function plannedHolds(subject: Subject): PlannedHold[] {
  const report = holdOn(subject)?.report;
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
