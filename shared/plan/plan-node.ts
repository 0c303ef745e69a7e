import { drainMessage } from '../drain/message.ts';
import { type DrainPlan, planDrain } from '../drain/plan.ts';
import { previewEvictions } from '../drain/preview.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import { isUnreachable } from '../kubernetes/node.ts';
import type { Node, PodDisruptionBudget } from '../kubernetes/objects.ts';
import { type EvictionAnswer, nodes, persistentVolumes, podDisruptionBudgets } from '../kubernetes/port.ts';
import { observeGate } from '../observe-drain.ts';
import { observePods } from '../observe-pods.ts';
import { observeAttachments } from '../observe-volumes.ts';
import type { Subject } from '../phase-definition.ts';
import type { RunningLook } from '../runtime/running-look.ts';
import { type AttachedVolumes, claimsToIgnore, findAttachedVolumes } from '../volumes/attached.ts';

/** What a drain of the Machine's Node would meet. */
export interface PlannedNode {
  node: Node | undefined;
  verdicts: PodVerdict[];
  plan: DrainPlan;
  answers: ReadonlyMap<string, EvictionAnswer>;
  volumes: AttachedVolumes | undefined;
  message: string;
}

/** Judges what is on the Node. A step that the Machine is shut out of has no batches, refusals or volumes. */
export async function planNode(look: RunningLook, subject: Subject): Promise<PlannedNode> {
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
  const isShutOut = (await observeGate(look, subject, 'drain')) !== undefined;
  const plan = planDrain(isShutOut ? [] : verdicts, { records: new Map() });
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
  if ((await observeGate(look, subject, 'volume-detach')) !== undefined) return undefined;
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
