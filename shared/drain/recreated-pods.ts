import {
  controllerOf,
  isFinished,
  isRecord,
  type KubeObject,
  type Node,
  type Pod,
  podName,
  type Taint,
  type Toleration,
  uidOf,
} from '../kubernetes/objects.ts';
import { compareBytes } from '../text/byte-order.ts';
import { listOf } from '../text/truncate.ts';
import type { Instant } from '../time/clock.ts';
import { daemonSetOf } from './filters.ts';
import type { DrainPlan } from './plan.ts';
import type { PodRecord } from './pod-record.ts';

/**
 * A Pod that stands where one of its kind was evicted from before. It tolerates the cordon, and will come again. Evicting
 * such Pods as fast as they return would only load the API. So they are left to the unhurried look, as often as the peer
 * evicts them. Kind means the same name, or the same generated prefix.
 * @param cutMilliseconds how far the time that the API server says may lie before the one that it means
 */
export function hasReturned(pod: Pod, records: ReadonlyMap<string, PodRecord>, cutMilliseconds = 0): boolean {
  const createdAt = Date.parse(pod.metadata.creationTimestamp ?? '') + cutMilliseconds;
  return [...records.values()].some(
    (record) =>
      record.podUid !== uidOf(pod) &&
      record.outcome !== 'refused' &&
      isOfTheSameKind(pod, record) &&
      createdAt > record.lastAttempt,
  );
}

/** As long as a pass of the peer takes, which evicts whatever has come back at each. */
const restMilliseconds = 20_000;

interface RestInputs {
  /** What is remembered of the drain's Pods, by UID. */
  records: ReadonlyMap<string, PodRecord>;
  /** When the deletion of the Machine began, by the clock of its API server. */
  deletedAt: Instant | undefined;
  now: Instant;
}

/**
 * The Pods that have come back and are left alone for now, by UID, with the end of their rest. It lasts 20 s from the last
 * eviction of their kind, by any instance. Only then does it make no difference how many instances look at the Node, and how
 * often. While the store is out of reach, each instance knows its own evictions alone. It evicts at that pace by itself.
 */
export function restingPods(pods: readonly Pod[], inputs: RestInputs): Map<string, Instant> {
  const open = pods.filter((pod) => !inputs.records.has(uidOf(pod)) && isNew(pod, inputs.deletedAt));
  const ends = open.map((pod) => [uidOf(pod), restEnd(pod, inputs)] as const);
  return new Map(ends.filter(([, end]) => end > inputs.now));
}

/**
 * What was there before goes at once. Both times come from API servers, in whole seconds. So no clock of ours makes a
 * returned Pod an old one.
 */
const isNew = ({ metadata }: Pod, deletedAt = Number.POSITIVE_INFINITY): boolean =>
  Date.parse(metadata.creationTimestamp ?? '') >= deletedAt;

/** Far from now is what a clock wrote that was wrong, or is: it must not hold a Pod. */
function restEnd(pod: Pod, { records, now }: RestInputs): Instant {
  const evictions = [...records.values()]
    .filter((record) => mayHaveLeft(record) && isOfTheSameKind(pod, record))
    .map(({ lastAttempt }) => lastAttempt)
    .filter((at) => Math.abs(now - at) < restMilliseconds);
  return Math.max(...evictions) + restMilliseconds;
}

/**
 * A request that failed may have been obeyed: only its answer was lost, or says something else. A webhook that denies an
 * eviction may move the Pod itself.
 */
const mayHaveLeft = ({ outcome, lastRefusal }: PodRecord): boolean =>
  outcome !== 'refused' || lastRefusal?.cause === 'Failed' || lastRefusal?.cause === 'AdmissionWebhook';

/** The same name, or the same generated prefix. */
function isOfTheSameKind({ metadata }: Pod, { namespace, name }: PodRecord): boolean {
  if (metadata.namespace !== namespace) return false;
  const prefix = metadata['generateName'];
  return name === metadata.name || (typeof prefix === 'string' && prefix !== '' && name.startsWith(prefix));
}

interface Back {
  plan: DrainPlan;
  /** Pods that are left alone for now, by UID: others of their kind were evicted just before. */
  resting: ReadonlyMap<string, Instant>;
  /** What is remembered of the drain's Pods, also of those that have gone. */
  remembered: ReadonlyMap<string, PodRecord>;
}

/** Times of API servers are whole seconds: a replacement is mostly made within the one in which its predecessor went. */
const cutMilliseconds = 1_000;

/** Pods that stand where others of their kind were evicted from, sorted by name. */
export function podsBack({ plan, resting, remembered }: Back): Pod[] {
  return [...plan.terminating, ...plan.evictNow, ...plan.evictLater]
    .filter((pod) => resting.has(uidOf(pod)) || hasReturned(pod, remembered, cutMilliseconds))
    .toSorted((a, b) => compareBytes(podName(a), podName(b)));
}

const shownPods = 3;

/** Our own line: Cluster API has no word for them. Empty where no Pod came back. */
export function returnText(pods: readonly Pod[]): string[] {
  if (pods.length === 0) return [];
  const [noun, verb] = pods.length === 1 ? ['Pod', 'is'] : ['Pods', 'are'];
  const names = listOf(pods.map(podName), shownPods);
  return [
    `${noun} ${names} came back to the cordoned Node after an eviction, and ${verb} evicted again every 20 s`,
  ];
}

/** What the scheduler sees of a Node that is cordoned. */
const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Effects that keep a Pod from a Node; PreferNoSchedule does not. */
const keepingOut = ['NoSchedule', 'NoExecute'];

/** The toleration with which another Pod like this one may be scheduled onto the Node although it is cordoned. */
export function cordonToleration(pod: Pod, node: Node): Toleration | undefined {
  const tolerations = pod.spec?.tolerations ?? [];
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => keepingOut.includes(effect));
  const isKeptOut = taints.some((taint) => !tolerations.some((each) => tolerates(each, taint)));
  return isKeptOut ? undefined : tolerations.find((each) => tolerates(each, cordon));
}

/** As the scheduler compares them: the operator is Equal where none is given. */
function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  if (!key || (operator && operator !== 'Equal')) return false;
  return (value ?? '') === (taint.value ?? '');
}

/** Whether somebody makes another one in its place. A DaemonSet of Kubernetes keeps its Pods unless it is gone. */
export const isMadeAgain = (pod: Pod): boolean =>
  controllerOf(pod) !== undefined && !isFinished(pod) && daemonSetOf(pod, 'of-apps/v1') === undefined;

/** Whether what makes Pods names the Node in its template. No scheduler is asked then, and the cordon keeps no Pod away. */
export function pinsTo({ spec }: KubeObject, { metadata }: Node): boolean {
  const template = isRecord(spec) && isRecord(spec['template']) ? spec['template'] : {};
  const ofPods = isRecord(template['spec']) ? template['spec'] : {};
  return ofPods['nodeName'] === metadata.name;
}
