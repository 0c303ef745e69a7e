import type { Pod } from '../kubernetes/objects.ts';
import { podName, uidOf } from '../kubernetes/pod.ts';
import { compareBytes } from '../text/byte-order.ts';
import { listOf } from '../text/truncate.ts';
import type { Instant } from '../time/clock.ts';
import type { DrainPlan } from './plan.ts';
import type { PodRecord } from './pod-record.ts';
import { hasReturned } from './recreated-pods.ts';

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
