import { type Dialect, MachineUnreadable } from '../dialects/dialect.ts';
import { podName } from '../kubernetes/pod.ts';
import { holdOn } from '../machine/guard.ts';
import type { Machine, MachineRef } from '../machine/machine.ts';
import { firstCheckpoint } from '../machine/progress.ts';
import type { Subject } from '../phase-definition.ts';
import { ClusterMissing } from '../runtime/cluster-missing.ts';
import type { Environment } from '../runtime/environment.ts';
import { dialectOf, machineResource } from '../runtime/find-machine.ts';
import { findNodeName, surroundingsOf } from '../runtime/surroundings.ts';
import { lookAt } from '../runtime/turn.ts';
import type { DeletionPlan, PlannedHold, PlannedHook } from './deletion-plan.ts';
import { planNode } from './plan-node.ts';
import { planPhases } from './plan-phases.ts';
import { plannedPod, plannedRefusal, plannedVolumes } from './planned.ts';

/**
 * What deleting the Machine would do, touching nothing. The judgements are the run's own; undefined when there is
 * no such Machine. Throws CouldNotLook and MachineUnreadable as the run would.
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
  try {
    return await planSubject(env, await subjectOf(env, machine, dialect));
  } catch (error) {
    if (error instanceof ClusterMissing) return planWithoutCluster(machine, dialect, error.message);
    throw error;
  }
}

async function planSubject(env: Environment, subject: Subject): Promise<DeletionPlan> {
  const look = lookAt(env, subject);
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
function planWithoutCluster({ ref }: Machine, dialect: Dialect, why: string): DeletionPlan {
  const phases = dialect.phases.map(
    (phase) => ({ phase, does: 'wait', why: 'not without the Cluster' }) as const,
  );
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

async function subjectOf(env: Environment, machine: Machine, dialect: Dialect): Promise<Subject> {
  const surroundings = await surroundingsOf(env, machine, dialect, { nodeDeletion: true });
  const nodeName = await findNodeName(env, machine, dialect);
  const found = nodeName === undefined ? machine : { ...machine, nodeName };
  const nodeDeletion = dialect.nodeDeletion(found, surroundings);
  const [first] = dialect.phases;
  if (first === undefined) throw new MachineUnreadable(`${dialect.name} has no phases`);
  const leg = { phase: first, skipped: [] };
  const checkpoint = firstCheckpoint(machine.ref.uid, leg, env.clock.now(), dialect.startTimes(machine));
  return { machine: found, dialect, surroundings, nodeDeletion, checkpoint };
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
