import type { Instant } from './clock.ts';
import { believedRecords } from './drain/believed.ts';
import { budgetKey } from './drain/budget.ts';
import { type DrainPlan, isDrained, planDrain, puttingOff } from './drain/plan.ts';
import { restingPods } from './drain/returned.ts';
import type { VerdictFailure } from './drain/verdict.ts';
import { uidOf } from './kubernetes/pod.ts';
import type { Node, Pod, PodDisruptionBudget } from './kubernetes/objects.ts';
import { CouldNotLook, type EvictionAnswer, nodes, podDisruptionBudgets } from './kubernetes/port.ts';
import { type CordonSeen, observeCordon } from './observe-control-plane.ts';
import { sightInfrastructure } from './observe-referred.ts';
import { isUnreachable } from './kubernetes/node.ts';
import { observePods } from './observe-pods.ts';
import { phaseStart, type Subject } from './phase-definition.ts';
import type { Kept, Look } from './runtime/look.ts';
import type { PodRecord } from './store/port.ts';
import type { Gate, GatedStep, Sighting } from './dialects/dialect.ts';

export type Closed = Gate & { allowed: false };

/** Where the drain of a Node stands, as far as one look tells. */
export interface DrainStanding {
  kind: 'judged';
  node: Node;
  unreachable: boolean;
  plan: DrainPlan;
  /** Pods that have come back, by UID, with the time when they may be evicted again: until then they are for later. */
  resting: ReadonlyMap<string, Instant>;
  /** What is remembered of the drain's Pods, also of those that have gone. */
  remembered: ReadonlyMap<string, PodRecord>;
  /** The part of it that still says something about Pods that are there. */
  records: ReadonlyMap<string, PodRecord>;
  /** Answers to evictions of this look. */
  answers: ReadonlyMap<string, EvictionAnswer>;
  /** Budgets that have refused, by `namespace/name`; undefined where one is gone since. */
  budgets: ReadonlyMap<string, PodDisruptionBudget | undefined>;
  resourceVersion: string;
}

export type DrainSeen =
  | { kind: 'closed'; gate: Closed }
  | { kind: 'no-node' }
  | { kind: 'drained' }
  /** The Machine itself says so. */
  | { kind: 'drained-before' }
  | CordonSeen
  | { kind: 'unjudged'; node: Node; failure: VerdictFailure }
  | DrainStanding;

/** Whether a step is to be done at all. The infrastructure is read only when nothing else closes the gate. */
export async function observeGate(
  look: Look,
  subject: Subject,
  step: GatedStep,
): Promise<Closed | undefined> {
  const early = unreadGate(look, subject, step);
  if (early !== undefined) return early;
  return closedBy(subject, step, look, await sightInfrastructure(look, subject.machine.infrastructure));
}

/** What closes the gate without reading anything. */
export const unreadGate = (look: Look, subject: Subject, step: GatedStep): Closed | undefined =>
  closedBy(subject, step, look, { kind: 'unseen' });

function closedBy(
  subject: Subject,
  step: GatedStep,
  look: Look,
  infrastructure: Sighting,
): Closed | undefined {
  const { nodeDeletion } = subject;
  // It may have turned so in its midst: the Cluster is being deleted, and nobody answers for its Nodes any more.
  if (!nodeDeletion.allowed) return { allowed: false, passing: 'not-applicable', why: nodeDeletion.why };
  const input = { startedAt: phaseStart(subject), now: look.now(), infrastructure };
  const gate = subject.dialect.gate(step, subject.machine, input);
  return gate.allowed ? undefined : gate;
}

/** A Node that turned unreachable, or was uncordoned, in mid-drain is noticed within this time. */
const cordoned: Kept = {
  maxAgeMilliseconds: 5_000,
  good: (node: Node) => node.spec?.unschedulable === true && !isUnreachable(node),
};

/** The Machine's Node, noted for its conditions. */
export async function observeNode(look: Look, subject: Subject, kept?: Kept): Promise<Node | undefined> {
  const { nodeName } = subject.machine;
  if (nodeName === undefined) return undefined;
  const key = { name: nodeName };
  const reading =
    kept === undefined ? look.get('workload', nodes, key) : look.recentGet('workload', nodes, key, kept);
  const object: Node | undefined = await reading;
  look.sightings.node = object === undefined ? { kind: 'absent' } : { kind: 'present', object };
  return object;
}

/** That the Node could not be read is said in the words of its Machine API. */
async function observeDrainedNode(look: Look, subject: Subject): Promise<Node | undefined> {
  try {
    return await observeNode(look, subject, isLookedAtAgain(subject) ? cordoned : undefined);
  } catch (error) {
    const { unreadNode } = subject.dialect.drain;
    if (!(error instanceof CouldNotLook) || unreadNode === undefined) throw error;
    const { message, retryAfterSeconds } = error;
    const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    throw new CouldNotLook(unreadNode(subject.machine.nodeName ?? '', message), { cause: error, ...later });
  }
}

/**
 * The phase after the drain sees what came to a Node that somebody uncordoned. Where there is none the server goes
 * next, and only a Node that is cordoned now is drained.
 */
const isLookedAtAgain = ({ dialect, machine }: Subject): boolean =>
  dialect.phases.includes('volume-detach') && !dialect.isVolumeWaitExcluded(machine);

/**
 * In the look that finds the Node drained neither it nor the infrastructure makes a difference: with the Node
 * known to be cordoned, its Pods come first.
 */
export async function observeDrain(look: Look, subject: Subject): Promise<DrainSeen> {
  if (subject.dialect.isDone(subject.machine, 'drain')) return { kind: 'drained-before' };
  const early = unreadGate(look, subject, 'drain');
  if (early !== undefined) return { kind: 'closed', gate: early };
  if (isLookedAtAgain(subject) && (await isSeenDrained(look, subject))) return { kind: 'drained' };
  const gate = await observeGate(look, subject, 'drain');
  if (gate !== undefined) return { kind: 'closed', gate };
  const node = await observeDrainedNode(look, subject);
  if (node === undefined) return { kind: 'no-node' };
  if (node.spec?.unschedulable !== true) return observeCordon(look, subject, node);
  const { name } = node.metadata;
  look.rememberCordon(name, node.metadata.uid ?? '');
  const unreachable = isUnreachable(node);
  const { judgement, resourceVersion } = await observePods(look, subject, {
    nodeName: name,
    unreachable,
    now: look.now(),
  });
  if (judgement.kind === 'failed') return { kind: 'unjudged', node, failure: judgement.failure };
  const remembered: DrainStanding['remembered'] =
    judgement.verdicts.length === 0 ? new Map() : await look.podRecords();
  const records = believedRecords(remembered, look.now());
  const { deletionTimestamp: deletedAt } = subject.machine;
  const judged = planDrain(judgement.verdicts, { records });
  const resting = restingPods(judged.evictNow, { records: remembered, deletedAt, now: look.now() });
  const plan = puttingOff(judged, resting);
  const budgets = await readBudgets(look, plan, records);
  return {
    kind: 'judged',
    node,
    unreachable,
    plan,
    resting,
    remembered,
    records,
    answers: look.answers,
    budgets,
    resourceVersion,
  };
}

async function isSeenDrained(look: Look, subject: Subject): Promise<boolean> {
  const { nodeName } = subject.machine;
  if (nodeName === undefined) return false;
  const uid = await look.cordonedNode(nodeName);
  if (uid === undefined) return false;
  look.sightings.nodeUid = uid;
  const { judgement } = await observePods(look, subject, { nodeName, unreachable: false, now: look.now() });
  return judgement.kind === 'judged' && isDrained(planDrain(judgement.verdicts, { records: new Map() }));
}

/** Only the budgets that have refused a Pod that is still to be evicted. */
async function readBudgets(
  look: Look,
  { evictNow }: DrainPlan,
  records: ReadonlyMap<string, PodRecord>,
): Promise<DrainStanding['budgets']> {
  const keys = new Set(evictNow.map((pod) => refusingBudget(pod, look.answers, records)));
  const read = [...keys]
    .filter((key) => key !== undefined)
    .map(async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      const budget: PodDisruptionBudget | undefined = await look.get('workload', podDisruptionBudgets, {
        namespace,
        name,
      });
      return [key, budget] as const;
    });
  return new Map(await Promise.all(read));
}

function refusingBudget(
  pod: Pod,
  answers: ReadonlyMap<string, EvictionAnswer>,
  records: ReadonlyMap<string, PodRecord>,
): string | undefined {
  const answer = answers.get(uidOf(pod));
  const name = answer?.kind === 'refused' ? answer.budget : records.get(uidOf(pod))?.lastRefusal?.budget;
  return name === undefined ? undefined : budgetKey(pod.metadata.namespace, name);
}
