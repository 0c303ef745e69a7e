import type { Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import { isFinished, isReady, isTerminating } from '../kubernetes/pod.ts';
import type { EvictionAnswer } from '../kubernetes/port.ts';

/** `namespace/name` of a budget, as maps of budgets are keyed. */
export const budgetKey = (namespace: string | undefined, name: string): string =>
  `${namespace ?? ''}/${name}`;

/** Its status is about its present spec. */
export const isObserved = ({ metadata, status }: PodDisruptionBudget): boolean =>
  (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);

export const disruptionsAllowed = (budget: PodDisruptionBudget): number =>
  budget.status?.disruptionsAllowed ?? 0;

/** Why a budget refuses, from its own numbers. */
export function explainBudget(
  budget: PodDisruptionBudget,
): 'BudgetExhausted' | 'BudgetNeverAllows' | 'BudgetNotObserved' {
  if (!isObserved(budget)) return 'BudgetNotObserved';
  return canEverAllow(budget) ? 'BudgetExhausted' : 'BudgetNeverAllows';
}

function canEverAllow({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.maxUnavailable === 0 || isPercentage(spec?.maxUnavailable, 0)) return false;
  if (isPercentage(spec?.minAvailable, 100)) return false;
  const { expectedPods = 0, desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  // Healthy Pods of which none is expected: their controllers cannot be asked how many there should be.
  return expectedPods === 0 ? currentHealthy === 0 : desiredHealthy < expectedPods;
}

const isPercentage = (value: number | string | undefined, percent: number): boolean =>
  typeof value === 'string' && /^\d+%$/.test(value) && Number.parseInt(value, 10) === percent;

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

/** Says more exactly why a budget refused, once the budget itself was read. */
export function explainedBy(budget: PodDisruptionBudget, answer: EvictionAnswer): EvictionAnswer {
  if (answer.kind !== 'refused' || answer.cause !== 'BudgetExhausted') return answer;
  return { ...answer, cause: explainBudget(budget) };
}
