import type { EvictionAnswer } from '../kubernetes/client.ts';
import {
  isFinished,
  isTerminating,
  type Node,
  type ObjectMeta,
  type Pod,
  type PodDisruptionBudget,
  podName,
  uidOf,
} from '../kubernetes/objects.ts';
import { compareBytes } from '../text/byte-order.ts';
import type { Instant } from '../time/clock.ts';
import type { PodRecord } from './pod-record.ts';
import type { PodVerdict } from './verdict.ts';

/** Pods of one order. The next batch begins when they are all gone from the Node. */
interface Batch {
  order: number;
  pods: Pod[];
}

/** Where a drain stands. All lists are sorted by `namespace/name` in byte order. */
export interface DrainPlan {
  /** The lowest order that is still on the Node; undefined when nothing has to go any more. */
  order: number | undefined;
  evictNow: Pod[];
  evictLater: Pod[];
  /** On their way, of whatever order. */
  terminating: Pod[];
  waitNow: Pod[];
  waitLater: Pod[];
  /** Stay on the Node, with the verdicts that say why. */
  skipped: PodVerdict[];
  /** To be waited for, and already run to their end: nothing is waited for any more. */
  completed: Pod[];
  /** What still has to go, lowest order first. */
  batches: Batch[];
}

interface PlanInputs {
  /** What is remembered of each Pod, by UID. */
  records: ReadonlyMap<string, PodRecord>;
}

/** A Pod that is waited for has completed once it has run to its end. Its object may stay. */
const hasCompleted = ({ behavior, pod }: PodVerdict): boolean =>
  behavior === 'WaitCompleted' && isFinished(pod);

/** Sorts what is on the Node into what is to be done now, later, or not at all. */
export function planDrain(verdicts: readonly PodVerdict[], { records }: PlanInputs): DrainPlan {
  const sorted = verdicts
    .map((verdict) => ({ verdict, name: podName(verdict.pod) }))
    .toSorted((a, b) => compareBytes(a.name, b.name))
    .map(({ verdict }) => verdict);
  const counting = sorted.filter((verdict) => verdict.behavior !== 'Skip' && !hasCompleted(verdict));
  const batches = batchesOf(counting);
  const order = batches[0]?.order;
  const podsTo = (place: Place) => podsOf(counting.filter((each) => placeOf(each, order, records) === place));
  return {
    order,
    evictNow: podsTo('evictNow'),
    evictLater: podsTo('evictLater'),
    terminating: podsTo('terminating'),
    waitNow: podsTo('waitNow'),
    waitLater: podsTo('waitLater'),
    skipped: sorted.filter((verdict) => verdict.behavior === 'Skip'),
    completed: podsOf(sorted.filter(hasCompleted)),
    batches,
  };
}

/** The same, but that these Pods, by UID, are not evicted now. */
export function puttingOff(plan: DrainPlan, uids: ReadonlyMap<string, unknown>): DrainPlan {
  const isPutOff = (pod: Pod): boolean => uids.has(uidOf(pod));
  const later = [...plan.evictLater, ...plan.evictNow.filter(isPutOff)];
  return {
    ...plan,
    evictNow: plan.evictNow.filter((pod) => !isPutOff(pod)),
    evictLater: later.toSorted((a, b) => compareBytes(podName(a), podName(b))),
  };
}

/** Nothing on the Node has to go any more. */
export const isDrained = (plan: DrainPlan): boolean => plan.batches.length === 0;

type Place = 'evictNow' | 'evictLater' | 'terminating' | 'waitNow' | 'waitLater';

function placeOf(verdict: PodVerdict, order: number | undefined, records: PlanInputs['records']): Place {
  const isNow = verdict.order === order;
  if (verdict.behavior === 'WaitCompleted') return isNow ? 'waitNow' : 'waitLater';
  if (isOnItsWay(verdict.pod, records)) return 'terminating';
  return isNow ? 'evictNow' : 'evictLater';
}

/** Also a Pod whose eviction the API has accepted, or that it said was gone. Only its object is still there. */
function isOnItsWay(pod: Pod, records: PlanInputs['records']): boolean {
  const outcome = records.get(uidOf(pod))?.outcome;
  return isTerminating(pod) || outcome === 'accepted' || outcome === 'gone';
}

function batchesOf(verdicts: readonly PodVerdict[]): Batch[] {
  return [...Map.groupBy(verdicts, (verdict) => verdict.order)]
    .map(([order, those]) => ({ order, pods: podsOf(those) }))
    .toSorted((a, b) => a.order - b.order);
}

const podsOf = (verdicts: readonly PodVerdict[]): Pod[] => verdicts.map(({ pod }) => pod);

/**
 * Terminating Pods that have more time left than an eviction with this grace period would give. On an unreachable Node they
 * have no use for it. A second of rounding is no more time, nor is a clock behind the API server's. A Pod whose grace was
 * shortened says so. Pods of a later order keep theirs until it is their turn.
 */
export function podsToHurry(
  { terminating, batches: [batch] }: Pick<DrainPlan, 'terminating' | 'batches'>,
  graceSeconds: number,
  now: Instant,
): Pod[] {
  const latest = now + (graceSeconds + 1) * 1_000;
  return terminating.filter(
    (pod) =>
      batch?.pods.includes(pod) === true &&
      !isHurried(pod.metadata, graceSeconds) &&
      Date.parse(pod.metadata.deletionTimestamp ?? '') > latest,
  );
}

const isHurried = (
  { deletionGracePeriodSeconds: given = Infinity }: ObjectMeta,
  graceSeconds: number,
): boolean => given <= graceSeconds;

/** Where the drain of a Node stands, as far as one look tells. */
export interface ObservedDrain {
  kind: 'judged';
  node: Node;
  unreachable: boolean;
  plan: DrainPlan;
  /** Pods that have come back, by UID, with the time when they may be evicted again. Until then they are for later. */
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
