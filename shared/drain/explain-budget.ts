import { isCustom } from '../kubernetes/builtin-groups.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import { groupVersionOf } from '../kubernetes/group-version.ts';
import type { OwnerReference, Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import type { Refusal, RefusalCause } from '../kubernetes/refusal.ts';
import { isObserved, syncFailureOf } from './budget.ts';
import { operatorOf } from './operators.ts';

export interface BudgetExplanation {
  cause: Extract<RefusalCause, `Budget${string}`>;
  /** What the API's answer does not say: who keeps the budget, and why it could not be computed. */
  explanation?: string;
}

/** Why a budget refuses the Pod, from the budget's own numbers and from the owners of both. */
export function explainBudget(budget: PodDisruptionBudget, pod: Pod): BudgetExplanation {
  const syncFailure = syncFailureOf(budget);
  if (syncFailure === undefined) {
    // A failed sync leaves the observed generation as it was, so that failure is looked at first.
    if (!isObserved(budget)) return { cause: 'BudgetNotObserved' };
    if (canEverAllow(budget)) return { cause: 'BudgetExhausted' };
  }
  const keepers = keepersOf(budget, pod);
  const said = [...(syncFailure === undefined ? [] : [unsynced(syncFailure)]), ...keepers];
  return {
    cause: keepers.length === 0 ? 'BudgetNeverAllows' : 'BudgetHeldByOperator',
    ...(said.length > 0 && { explanation: said.join('; ') }),
  };
}

const unsynced = (message: string): string =>
  `it allows nothing until somebody changes what its controller fails on: ${message === '' ? 'no message' : message}`;

/** The owners of custom kinds: the budget's own, and the Pod's controller. */
function keepersOf(budget: PodDisruptionBudget, pod: Pod): string[] {
  const controllers = (pod.metadata.ownerReferences ?? []).filter(({ controller }) => controller === true);
  const owners = namesOf(budget.metadata.ownerReferences ?? []);
  const operator = owners.length === 0 ? operatorOf(budget) : undefined;
  return [
    ...[...owners, ...(operator === undefined ? [] : [operator])].map(
      (name) => `the budget is kept by ${name}`,
    ),
    ...namesOf(controllers).map((name) => `the Pod is kept by ${name}`),
  ];
}

const namesOf = (owners: readonly OwnerReference[]): string[] => owners.filter(isCustom).map(nameOf);

/** `InstanceManager instance-manager-a of longhorn.io`. */
const nameOf = (owner: OwnerReference): string =>
  `${owner.kind} ${owner.name} of ${groupVersionOf(owner).group}`;

/** Whether its spec alone allows none, however many Pods there are. */
export const allowsNoneBySpec = ({ spec }: Pick<PodDisruptionBudget, 'spec'>): boolean =>
  spec?.maxUnavailable === 0 ||
  isPercentage(spec?.maxUnavailable, 0) ||
  isPercentage(spec?.minAvailable, 100);

function canEverAllow(budget: PodDisruptionBudget): boolean {
  if (allowsNoneBySpec(budget)) return false;
  const { expectedPods = 0, desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
  // Healthy Pods, none of them expected: their controllers cannot be asked how many there should be.
  return expectedPods === 0 ? currentHealthy === 0 : desiredHealthy < expectedPods;
}

const isPercentage = (value: number | string | undefined, percent: number): boolean =>
  typeof value === 'string' && /^\d+%$/.test(value) && Number.parseInt(value, 10) === percent;

/** The causes that the budget itself can make more exact. */
export const isExplainable = (answer: EvictionAnswer): answer is Refusal & { budget: string } =>
  answer.kind === 'refused' &&
  answer.budget !== undefined &&
  (answer.cause === 'BudgetExhausted' || answer.cause === 'BudgetNotObserved');

/** Says more exactly why a budget refused, once the budget itself was read. */
export function explainedBy(budget: PodDisruptionBudget, pod: Pod, answer: EvictionAnswer): EvictionAnswer {
  if (!isExplainable(answer)) return answer;
  // A status that has caught up since the answer says nothing about that answer.
  if (answer.cause === 'BudgetNotObserved' && syncFailureOf(budget) === undefined) return answer;
  return { ...answer, ...explainBudget(budget, pod) };
}
