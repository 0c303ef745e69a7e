import { budgetKey } from '../drain/budget-cause.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import { type Pod, type PodDisruptionBudget, uidOf } from '../kubernetes/objects.ts';
import { podDisruptionBudgets } from '../kubernetes/resources.ts';
import type { Snapshot } from '../phase/snapshot.ts';

/**
 * The budgets that have refused one of these Pods, now or as far as is remembered, by `namespace/name`; undefined where
 * one is gone since. Others are not asked for.
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
