import { type Dialect, MachineUnreadable } from '../dialects/dialect.ts';
import { budgetKey } from '../drain/budget.ts';
import { drainMessage } from '../drain/message.ts';
import { type DrainPlan, planDrain } from '../drain/plan.ts';
import { previewEvictions } from '../drain/preview.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import { podName } from '../kubernetes/pod.ts';
import type { Node, Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import { type EvictionAnswer, nodes, persistentVolumes, podDisruptionBudgets } from '../kubernetes/port.ts';
import type { Machine, MachineRef } from '../machine/machine.ts';
import { firstCheckpoint } from '../machine/progress.ts';
import { isUnreachable } from '../kubernetes/node.ts';
import { observePods } from '../observe-pods.ts';
import type { Subject } from '../phase-definition.ts';
import { dialectOf, machineResource } from '../runtime/arrive.ts';
import type { Environment } from '../runtime/environment.ts';
import type { RunningLook } from '../runtime/running-look.ts';
import { findNodeName, surroundingsOf } from '../runtime/surroundings.ts';
import { lookAt } from '../runtime/turn.ts';
import { observeAttachments } from '../observe-volumes.ts';
import { type AttachedVolumes, claimsToIgnore, findAttachedVolumes } from '../volumes/attached.ts';
import type {
  DeletionPlan,
  PlannedHook,
  PlannedPod,
  PlannedRefusal,
  PlannedVolume,
} from './deletion-plan.ts';
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
  const look = lookAt(env, subject.machine);
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
  const nodeName = await findNodeName(env, machine);
  const found = nodeName === undefined ? machine : { ...machine, nodeName };
  const nodeDeletion = dialect.nodeDeletion(found, surroundings);
  const [first] = dialect.phases;
  if (first === undefined) throw new MachineUnreadable(`${dialect.name} has no phases`);
  const leg = { phase: first, skipped: [] };
  const checkpoint = firstCheckpoint(machine.ref.uid, leg, env.clock.now(), dialect.startTimes(machine));
  return { machine: found, dialect, surroundings, nodeDeletion, checkpoint };
}

/** What a drain of the Machine's Node would meet. */
export interface PlannedNode {
  node: Node | undefined;
  verdicts: PodVerdict[];
  plan: DrainPlan;
  answers: ReadonlyMap<string, EvictionAnswer>;
  volumes: AttachedVolumes | undefined;
  message: string;
}

async function planNode(look: RunningLook, subject: Subject): Promise<PlannedNode> {
  const none = {
    verdicts: [],
    plan: planDrain([], { records: new Map() }),
    answers: new Map(),
    volumes: undefined,
  };
  const { nodeName } = subject.machine;
  if (!subject.nodeDeletion.allowed || nodeName === undefined)
    return { ...none, node: undefined, message: '' };
  const node: Node | undefined = await look.get('workload', nodes, { name: nodeName });
  if (node === undefined) return { ...none, node, message: '' };
  const unreachable = isUnreachable(node);
  const { judgement } = await observePods(look, subject, { nodeName, unreachable, now: look.now() });
  if (judgement.kind === 'failed') return { ...none, node, message: judgement.failure.message };
  const { verdicts } = judgement;
  const plan = planDrain(verdicts, { records: new Map() });
  const answers = previewEvictions(plan, await budgetsFor(look, plan));
  const volumes = unreachable ? undefined : await attachedVolumes(look, subject, node);
  return { node, verdicts, plan, answers, volumes, message: messageOf(look, subject, plan, answers) };
}

async function budgetsFor(look: RunningLook, { evictNow }: DrainPlan): Promise<PodDisruptionBudget[]> {
  const spaces = [...new Set(evictNow.map(({ metadata }) => metadata.namespace ?? ''))];
  const lists = await Promise.all(
    spaces.map((namespace) => look.list('workload', podDisruptionBudgets, { namespace })),
  );
  return lists.flatMap(({ items }) => items as PodDisruptionBudget[]);
}

async function attachedVolumes(
  look: RunningLook,
  subject: Subject,
  node: Node,
): Promise<AttachedVolumes | undefined> {
  const { reading } = await observeAttachments(look, node);
  if (reading.kind === 'failed') return undefined;
  const { judgement } = await observePods(look, subject, {
    nodeName: node.metadata.name,
    unreachable: false,
    now: look.now(),
  });
  const ignored = judgement.kind === 'judged' ? claimsToIgnore(judgement.verdicts) : new Set<string>();
  const volumes = await look.list('workload', persistentVolumes);
  return findAttachedVolumes(reading.attached, volumes.items, ignored);
}

function messageOf(
  look: RunningLook,
  subject: Subject,
  plan: DrainPlan,
  answers: ReadonlyMap<string, EvictionAnswer>,
): string {
  if (plan.batches.length === 0) return '';
  const began = subject.dialect.startTimes(subject.machine).drain;
  const startedAt = began === undefined ? look.now() : Date.parse(began);
  return drainMessage({ plan, answers, records: new Map(), startedAt });
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
