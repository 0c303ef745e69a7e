import type { Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import { isFinished, isReady, isTerminating } from '../kubernetes/pod.ts';

/** `namespace/name` of a budget, as maps of budgets are keyed. */
export const budgetKey = (namespace: string | undefined, name: string): string =>
  `${namespace ?? ''}/${name}`;

/** Its status is about its present spec. */
export const isObserved = ({ metadata, status }: PodDisruptionBudget): boolean =>
  (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);

export const disruptionsAllowed = (budget: PodDisruptionBudget): number =>
  budget.status?.disruptionsAllowed ?? 0;

/** Why the disruption controller could not compute the budget; undefined where it could. */
export function syncFailureOf({ status }: PodDisruptionBudget): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  if (condition?.status !== 'False' || condition.reason !== 'SyncFailed') return undefined;
  return condition.message ?? '';
}

/** Whether an answer to an eviction says that its budget could not be computed, in the API server's words. */
export const isUnsynced = (text: string): boolean => / because it failed sync/.test(text);

/** The API evicts such a Pod whatever any budget says. */
export const isBeyondBudgets = (pod: Pod): boolean =>
  isFinished(pod) || isTerminating(pod) || pod.status?.phase === 'Pending';

/** The API evicts a Pod that is not Ready without asking its budget, unless its kind of guard forbids that. */
export function isUnguarded(pod: Pod, { spec, status }: PodDisruptionBudget): boolean {
  if (isReady(pod)) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const desiredHealthy = status?.desiredHealthy ?? 0;
  return desiredHealthy > 0 && (status?.currentHealthy ?? 0) >= desiredHealthy;
}
