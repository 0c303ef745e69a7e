import { budgetKey } from '../drain/budget-cause.ts';
import type { ObservedDrain } from '../drain/plan.ts';
import { hasReturned } from '../drain/recreated-pods.ts';
import { type Pod, uidOf } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import type { WaitsFor } from './decision.ts';
import type { Subject } from './definition.ts';
import { deadlineOf, secondsToFirst } from './time-limit.ts';

/** Evictions from an unreachable Node do not wait for Pods to stop. */
export const unreachableGraceSeconds = 1;
/** From the end of a Pod's grace period until the filter of deleted Pods no longer counts it. */
const leftBehindMilliseconds = 2_000;
const requeueAfterSeconds = 20;

/** What would end the wait for a Node's Pods, and when to look in any case. `due`: when something is done about Pods. */
export function drainEnds(
  subject: Subject,
  seen: ObservedDrain,
  now: number,
  due: readonly number[] = [],
): { until: WaitsFor[]; requeueAfterSeconds: number } {
  return {
    until: [...podsGone(seen, now), ...budgetsFree(seen), ...times(subject, seen, now, due)],
    requeueAfterSeconds: secondsToFirst(
      [...deadlineOf('drain', subject, now), ...leftBehind(seen, now), ...seen.resting.values(), ...due],
      now,
      requeueAfterSeconds,
    ),
  };
}

/**
 * The Pods that terminate or are waited for. When all are gone, the next look finds something to do. It also does
 * when all Pods of the lowest order are gone, or a refused Pod goes by itself.
 */
function podsGone(
  { plan, node, resourceVersion, answers, remembered }: ObservedDrain,
  now: number,
): WaitsFor[] {
  const isAccepted = (pod: Pod): boolean => answers.get(uidOf(pod))?.kind === 'accepted';
  const evicted = plan.evictNow.filter(isAccepted);
  const leaving = [...plan.terminating, ...evicted, ...plan.waitNow];
  const isBack = (pod: Pod): boolean => hasReturned(pod, remembered);
  const awaited = leaving.filter((pod) => !isBack(pod));
  const refused = plan.evictNow.filter((pod) => !isAccepted(pod) && !isBack(pod));
  const isLast = plan.evictLater.length === 0 && plan.waitLater.length === 0;
  const lowestOrder = isLast ? [] : (plan.batches[0]?.pods ?? []);
  const lasting = awaited.filter((pod) => plan.waitNow.includes(pod) || isHeld(pod, now));
  if (awaited.length === 0) return [];
  return [
    {
      kind: 'pods-gone',
      nodeName: node.metadata.name,
      uids: awaited.map(uidOf),
      ...(lowestOrder.length > 0 && { lowestOrder: lowestOrder.map(uidOf) }),
      ...(lasting.length > 0 && awaited.length > 1 && { lasting: lasting.map(uidOf) }),
      ...(refused.length > 0 && { refused: refused.map(uidOf) }),
      resourceVersion,
    },
  ];
}

/** A finalizer keeps it, or the time has passed at which it should be gone. */
const isHeld = ({ metadata: { finalizers = [], deletionTimestamp = '' } }: Pod, now: number): boolean =>
  finalizers.length > 0 || Date.parse(deletionTimestamp) <= now;

const budgetsFree = ({ budgets }: ObservedDrain): WaitsFor[] =>
  [...budgets.values()]
    .filter((budget) => budget !== undefined)
    .map(({ metadata }) => ({
      kind: 'budget-frees',
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      resourceVersion: metadata.resourceVersion ?? '',
    }));

/** The end of the Node ends the drain. Only a drain whose Pods may stay long watches for it: each watch is a request. */
export const nodeGone = ({ node: { metadata } }: ObservedDrain): WaitsFor => ({
  kind: 'object-gone',
  side: 'workload',
  resource: nodes,
  key: { name: metadata.name },
  uid: metadata.uid ?? '',
  resourceVersion: metadata.resourceVersion ?? '',
});

/** The soonest end of a back-off, of a rest, or of the drain's own time. */
function times(subject: Subject, seen: ObservedDrain, now: number, due: readonly number[]): WaitsFor[] {
  const attempts = seen.plan.evictNow.map((pod) => nextAttemptAt(pod, seen, now));
  const ends = [
    ...attempts,
    ...seen.resting.values(),
    ...deadlineOf('drain', subject, now),
    ...leftBehind(seen, now),
    ...due,
  ];
  return ends.length === 0 ? [] : [{ kind: 'time', at: Math.min(...ends) }];
}

/** While a budget is closed, the drain tries only one of its Pods. That answer counts for all of them. */
function nextAttemptAt(pod: Pod, { plan, records, answers, budgets }: ObservedDrain, now: number): number {
  const answer = answers.get(uidOf(pod));
  // Our own lack of time, and Pods that appeared meanwhile, are no reason for a pause.
  if (answer?.kind === 'refused' && answer.cause === 'NotAttempted') return now;
  const key = refusingBudget(pod, records);
  const isShared = key !== undefined && budgets.get(key) !== undefined;
  const sharing = isShared ? plan.evictNow.filter((other) => refusingBudget(other, records) === key) : [pod];
  const last = Math.max(...sharing.map((other) => records.get(uidOf(other))?.notBefore ?? 0));
  return last > now ? last : now + 1_000;
}

function refusingBudget(pod: Pod, records: ObservedDrain['records']): string | undefined {
  const name = records.get(uidOf(pod))?.lastRefusal?.budget;
  return name === undefined ? undefined : budgetKey(pod.metadata.namespace, name);
}

/** An unreachable Node shows the end of no Pod. Each is left behind some time after it should be gone. */
function leftBehind({ unreachable, plan, answers }: ObservedDrain, now: number): number[] {
  if (!unreachable) return [];
  const before = plan.terminating.filter((pod) => answers.get(uidOf(pod))?.kind !== 'accepted');
  const asked = before.map(({ metadata }) => Date.parse(metadata.deletionTimestamp ?? ''));
  const known = asked.filter((at) => !Number.isNaN(at));
  const justAsked = answers.size > 0 ? [now + unreachableGraceSeconds * 1_000] : [];
  const last = Math.max(...known, ...justAsked);
  return Number.isFinite(last) ? [Math.max(now + 1_000, last + leftBehindMilliseconds)] : [];
}
