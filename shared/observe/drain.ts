import type { Prospect } from '../blocked/prospect.ts';
import { budgetKey } from '../drain/budget-cause.ts';
import { isDrained, type ObservedDrain, planDrain, puttingOff } from '../drain/plan.ts';
import { believedRecords, type PodRecord } from '../drain/pod-record.ts';
import { restingPods } from '../drain/recreated-pods.ts';
import type { PodVerdict, VerdictFailure } from '../drain/verdict.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import { reworded, Unavailable } from '../kubernetes/errors.ts';
import {
  isUnreachable,
  type Node,
  type Pod,
  type PodDisruptionBudget,
  uidOf,
} from '../kubernetes/objects.ts';
import { podDisruptionBudgets } from '../kubernetes/resources.ts';
import type { Subject } from '../phase/definition.ts';
import type { Kept, Snapshot } from '../phase/snapshot.ts';
import { observeBlocked } from './blocked.ts';
import { type CordonSeen, observeCordon } from './control-plane.ts';
import { isEmpty, observeUnread, type UnreadNode } from './empty-node.ts';
import { type Closed, observeGate, unreadGate } from './gate.ts';
import { isAsCordoned, type OwnNode, observeOwnNode } from './node.ts';
import { observePlan, observePods } from './pods.ts';

/** What a step has seen for the drain. */
export type DrainSeen =
  | { kind: 'closed'; gate: Closed }
  | { kind: 'no-node' }
  /** The Machine names another server's Node, and has none of its own. */
  | { kind: 'another'; why: string }
  /** Nothing is done to a Node while it is unknown whose it is. */
  | { kind: 'unknown'; why: string }
  | { kind: 'drained' }
  /** The Machine itself says so. */
  | { kind: 'drained-before' }
  | CordonSeen
  | UnreadNode
  | { kind: 'unjudged'; node: Node; failure: VerdictFailure }
  | JudgedDrain;

/** Where the drain stands, and what is done about Pods that are not let go. */
export type JudgedDrain = ObservedDrain & { blocked: readonly Prospect[] };

/** A Node that turned unreachable, or was uncordoned, in mid-drain is noticed within this time. */
const cordoned: Kept = {
  maxAgeMilliseconds: 5_000,
  good: isAsCordoned,
};

/** That the Node could not be read is said in the words of its Machine API. */
async function observeNodeToDrain(snapshot: Snapshot, subject: Subject): Promise<OwnNode> {
  try {
    return await observeOwnNode(snapshot, subject, isLookedAtAgain(subject) ? cordoned : undefined);
  } catch (error) {
    const { unreadNode } = subject.dialect.drain;
    if (!(error instanceof Unavailable)) throw error;
    const name = subject.machine.nodeName ?? '';
    throw reworded(error, (why) => unreadNode(name, why));
  }
}

/**
 * The phase after the drain sees what came to a Node that was uncordoned. Where there is no such phase, the server goes next,
 * and only a Node that is cordoned now is drained. A drain that was gone back to does not rely on memory either. The Node is
 * in use again, or could not be read.
 */
const isLookedAtAgain = ({ dialect, machine, checkpoint }: Subject): boolean =>
  dialect.phases.includes('volume-detach') &&
  !dialect.isVolumeWaitExcluded(machine) &&
  checkpoint.passed['volume-detach'] === undefined;

/**
 * A look that finds the Node drained depends on neither the Node nor the infrastructure. With the Node known to be cordoned,
 * its Pods come first.
 */
export async function observeDrain(snapshot: Snapshot, subject: Subject): Promise<DrainSeen> {
  if (subject.dialect.isDone(subject.machine, 'drain')) return { kind: 'drained-before' };
  const early = unreadGate(snapshot, subject, 'drain');
  if (early !== undefined) return { kind: 'closed', gate: early };
  // Before the server is read, which may fail as well and says less.
  if (subject.nodeSearch?.kind === 'unread') throw subject.nodeSearch.why;
  if (isLookedAtAgain(subject) && (await isSeenDrained(snapshot, subject))) return { kind: 'drained' };
  const unread = await observeUnread(snapshot, subject);
  if (unread === undefined && (await isEmpty(snapshot, subject))) return { kind: 'drained' };
  const gate = await observeGate(snapshot, subject, 'drain');
  if (gate !== undefined) return { kind: 'closed', gate };
  if (unread !== undefined) return unread;
  const own = await observeNodeToDrain(snapshot, subject);
  if (own.kind === 'none') return { kind: 'no-node' };
  if (own.kind !== 'own') return own;
  const { node } = own;
  if (node.spec?.unschedulable === true) return observeCordoned(snapshot, subject, node);
  return observeCordon(snapshot, subject, node);
}

async function observeCordoned(snapshot: Snapshot, subject: Subject, node: Node): Promise<DrainSeen> {
  const { name } = node.metadata;
  snapshot.rememberCordon(name, node.metadata.uid ?? '');
  const unreachable = isUnreachable(node);
  const context = { nodeName: name, unreachable, now: snapshot.now() };
  const { judgement, resourceVersion } = await observePods(snapshot, subject, context);
  if (judgement.kind === 'failed') return { kind: 'unjudged', node, failure: judgement.failure };
  const standing = await observeStanding(snapshot, subject, judgement.verdicts);
  return { kind: 'judged', node, unreachable, resourceVersion, ...standing };
}

/** What follows from the verdicts on its Pods, from what is remembered of these, and from the budgets. */
async function observeStanding(
  snapshot: Snapshot,
  subject: Subject,
  verdicts: PodVerdict[],
): Promise<Omit<JudgedDrain, 'kind' | 'node' | 'unreachable' | 'resourceVersion'>> {
  const remembered: ObservedDrain['remembered'] =
    verdicts.length === 0 ? new Map() : await snapshot.podRecords();
  const records = believedRecords(remembered, snapshot.now());
  const judged = planDrain(verdicts, { records });
  const { deletionTimestamp: deletedAt } = subject.machine;
  const resting = restingPods(judged.evictNow, { records: remembered, deletedAt, now: snapshot.now() });
  const plan = puttingOff(judged, resting);
  const budgets = await observeBudgets(snapshot, plan.evictNow, records);
  const { answers } = snapshot;
  const blocked = await observeBlocked(snapshot, subject, { plan, records, answers });
  return { plan, resting, remembered, records, answers, budgets, blocked };
}

async function isSeenDrained(snapshot: Snapshot, subject: Subject): Promise<boolean> {
  const { nodeName } = subject.machine;
  if (nodeName === undefined) return false;
  const uid = snapshot.cordonedNode(nodeName);
  if (uid === undefined) return false;
  snapshot.observed.ownership = { kind: 'own', name: nodeName, uid };
  const plan = await observePlan(snapshot, subject, nodeName);
  return plan !== undefined && isDrained(plan);
}

/**
 * The budgets that have refused one of these Pods, now or in memory, by `namespace/name`. Undefined where one is gone since.
 * Others are not asked for.
 */
export async function observeBudgets(
  snapshot: Snapshot,
  pods: readonly Pod[],
  records: ReadonlyMap<string, PodRecord>,
): Promise<ReadonlyMap<string, PodDisruptionBudget | undefined>> {
  const keys = new Set(pods.map((pod) => refusingBudget(pod, snapshot.answers, records)));
  const read = [...keys]
    .filter((key) => key !== undefined)
    .map(async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      const budget: PodDisruptionBudget | undefined = await snapshot.get('workload', podDisruptionBudgets, {
        namespace,
        name,
      });
      return [key, budget] as const;
    });
  return new Map(await Promise.all(read));
}

/** The last answer counts: a budget that refused before may have nothing to do with it any more. */
function refusingBudget(
  pod: Pod,
  answers: ReadonlyMap<string, EvictionAnswer>,
  records: ReadonlyMap<string, PodRecord>,
): string | undefined {
  const answer = answers.get(uidOf(pod));
  const name = answer?.kind === 'refused' ? answer.budget : records.get(uidOf(pod))?.lastRefusal?.budget;
  return name === undefined ? undefined : budgetKey(pod.metadata.namespace, name);
}
