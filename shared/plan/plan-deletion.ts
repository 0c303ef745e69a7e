import { type Dialect, MachineUnreadable } from '../dialects/dialect.ts';
import { budgetKey } from '../drain/budget.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import { podName } from '../kubernetes/pod.ts';
import type { Pod } from '../kubernetes/objects.ts';
import type { EvictionAnswer } from '../kubernetes/port.ts';
import type { Machine, MachineRef } from '../machine/machine.ts';
import { firstCheckpoint } from '../machine/progress.ts';
import type { Subject } from '../phase-definition.ts';
import { dialectOf, machineResource } from '../runtime/find-machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { findNodeName, surroundingsOf } from '../runtime/surroundings.ts';
import { lookAt } from '../runtime/turn.ts';
import type { AttachedVolumes } from '../volumes/attached.ts';
import type {
  DeletionPlan,
  PlannedHook,
  PlannedPod,
  PlannedRefusal,
  PlannedVolume,
} from './deletion-plan.ts';
import { planNode } from './plan-node.ts';
import { planPhases } from './plan-phases.ts';

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
  const raw = await env.management.get(machineResource(dialect, ref), {
    namespace: ref.namespace,
    name: ref.name,
  });
  if (raw === undefined) return undefined;
  const subject = await subjectOf(env, asIfDeleting(dialect.read(raw), env), dialect);
  const look = lookAt(env, subject);
  const drained = await planNode(look, subject);
  return {
    machine: subject.machine.ref,
    phases: await planPhases(look, subject, drained),
    pods: drained.verdicts.map(plannedPod),
    batches: drained.plan.batches.map(({ order, pods }) => ({ order, pods: pods.map(podName) })),
    refusals: drained.plan.evictNow.flatMap((pod) => refusal(pod, drained.answers)),
    volumes: plannedVolumes(drained.volumes),
    hooks: plannedHooks(subject),
    message: drained.message,
  };
}

/** A Machine that lives is planned as if it were deleted now. */
function asIfDeleting(machine: Machine, env: Environment): Machine {
  return { ...machine, deletionTimestamp: machine.deletionTimestamp ?? env.clock.now() };
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

const plannedPod = ({ pod, behavior, order, decidedBy, warnings }: PodVerdict): PlannedPod => ({
  namespace: pod.metadata.namespace ?? '',
  name: pod.metadata.name,
  behavior,
  order,
  decidedBy,
  warnings,
});

function refusal(pod: Pod, answers: ReadonlyMap<string, EvictionAnswer>): PlannedRefusal[] {
  const answer = answers.get(pod.metadata.uid ?? '');
  if (answer?.kind !== 'refused') return [];
  const budget =
    answer.budget === undefined ? {} : { budget: budgetKey(pod.metadata.namespace, answer.budget) };
  return [{ pod: podName(pod), cause: answer.cause, message: answer.text, ...budget }];
}

const named = (kind: PlannedVolume['kind'], names: string[]): PlannedVolume[] =>
  names.map((name) => ({ kind, name }));

function plannedVolumes(volumes: AttachedVolumes | undefined): PlannedVolume[] {
  if (volumes === undefined) return [];
  return [
    ...named('PersistentVolumeClaim', volumes.claims),
    ...named('PersistentVolume', volumes.volumesWithoutClaim),
    ...named('NodeVolume', volumes.unmatchedNodeVolumes),
    ...named('VolumeAttachment', volumes.unmatchedAttachments),
  ];
}

function plannedHooks({ machine, dialect, nodeDeletion }: Subject): PlannedHook[] {
  const at = (point: PlannedHook['point']): PlannedHook[] =>
    dialect.hooks(machine, point).map((name) => ({ point, name }));
  return [...(nodeDeletion.allowed ? at('pre-drain') : []), ...at('pre-terminate')];
}
