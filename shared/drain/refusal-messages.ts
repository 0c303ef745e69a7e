import type { EvictionAnswer } from '../kubernetes/client.ts';
import type { Pod } from '../kubernetes/objects.ts';
import { uidOf } from '../kubernetes/pod.ts';
import type { Instant } from '../time/clock.ts';
import { budgetKey } from './budget.ts';
import type { PodRecord } from './pod-record.ts';

/** Its turn has not come: the API server was not asked. */
export const isWaiting = (answer: EvictionAnswer | undefined): boolean =>
  answer?.kind === 'refused' && answer.cause === 'NotAttempted';

interface Refusal {
  text: string;
  budget: string | undefined;
  at: Instant;
}

/**
 * Why Pods are still there, by Pod UID. Of the Pods of one budget not all are asked each time: its newest answer to
 * any of them stands for all, as if all had been asked.
 */
export function refusalTexts(
  pods: readonly Pod[],
  answers: ReadonlyMap<string, EvictionAnswer>,
  records: ReadonlyMap<string, PodRecord>,
): Map<string, string> {
  const newest = new Map<string, Refusal>();
  const own = new Map<string, Refusal>();
  for (const pod of pods) {
    const refusal = refusalOf(pod, answers.get(uidOf(pod)), records.get(uidOf(pod)));
    if (refusal === undefined) continue;
    own.set(uidOf(pod), refusal);
    const { budget, at } = refusal;
    if (budget !== undefined && at > (newest.get(budget)?.at ?? -1)) newest.set(budget, refusal);
  }
  return new Map([...own].map(([uid, refusal]) => [uid, newerOf(refusal, newest).text]));
}

function refusalOf(
  pod: Pod,
  answer: EvictionAnswer | undefined,
  record: PodRecord | undefined,
): Refusal | undefined {
  const { namespace } = pod.metadata;
  const keyOf = (name: string | undefined) => (name === undefined ? undefined : budgetKey(namespace, name));
  if (answer !== undefined) {
    if (answer.kind !== 'refused' || isWaiting(answer)) return undefined;
    return { text: answer.text, budget: keyOf(answer.budget), at: Number.POSITIVE_INFINITY };
  }
  // Older versions remembered that a Pod's turn had not come.
  if (record?.lastRefusal === undefined || record.lastRefusal.cause === 'NotAttempted') return undefined;
  const { text, budget } = record.lastRefusal;
  return { text, budget: keyOf(budget), at: record.lastAttempt };
}

function newerOf(refusal: Refusal, newest: ReadonlyMap<string, Refusal>): Refusal {
  const other = refusal.budget === undefined ? undefined : newest.get(refusal.budget);
  return other !== undefined && other.at > refusal.at ? other : refusal;
}
