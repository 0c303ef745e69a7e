import type { Pod } from '../kubernetes/objects.ts';
import { isFinished, isTerminating, podName, uidOf } from '../kubernetes/pod.ts';
import { compareBytes } from '../text/byte-order.ts';
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

export interface PlanInputs {
  /** What is remembered of each Pod, by UID. */
  records: ReadonlyMap<string, PodRecord>;
}

/** A Pod that is waited for has completed as soon as it has run to its end; its object may stay. */
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

/** Also a Pod whose eviction the API has accepted, or that it said was gone: only its object is still to be seen. */
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
