import { isCustom } from '../kubernetes/builtin-groups.ts';
import type { EvictionAnswer, Refusal, RefusalCause } from '../kubernetes/client.ts';
import {
  groupVersionOf,
  isFinished,
  isReady,
  isTerminating,
  type OwnerReference,
  type Pod,
  type PodDisruptionBudget,
} from '../kubernetes/objects.ts';

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
  const causes = [...(syncFailure === undefined ? [] : [unsynced(syncFailure)]), ...keepers];
  return {
    cause: keepers.length === 0 ? 'BudgetNeverAllows' : 'BudgetHeldByOperator',
    ...(causes.length > 0 && { explanation: causes.join('; ') }),
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

/** `namespace/name` of a budget, as maps of budgets are keyed. */
export const budgetKey = (namespace: string | undefined, name: string): string =>
  `${namespace ?? ''}/${name}`;

/** Its status is about its present spec. */
export const isObserved = ({ metadata, status }: PodDisruptionBudget): boolean =>
  (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);

/** How many Pods the budget lets go now. */
export const disruptionsAllowed = (budget: PodDisruptionBudget): number =>
  budget.status?.disruptionsAllowed ?? 0;

/** Why the disruption controller could not compute the budget; undefined where it could. */
export function syncFailureOf({ status }: PodDisruptionBudget): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  if (condition?.status !== 'False' || condition.reason !== 'SyncFailed') return undefined;
  return condition.message ?? '';
}

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

/** What installs objects for people, and changes none of them by itself later: their budgets are a user's own. */
const installers: readonly string[] = [
  'helm',
  'kustomize',
  'kubectl',
  'argocd',
  'flux',
  'terraform',
  'pulumi',
];

/** Operators that give their budgets no owner, by a label of theirs. An empty value is any. */
const marks: readonly { label: string; value: string; operator: string }[] = [
  { label: 'rook_cluster', value: '', operator: 'Rook' },
  { label: 'application', value: 'spilo', operator: 'the Postgres operator of Zalando' },
];

const managedBy = 'app.kubernetes.io/managed-by';

/** The operator that keeps a budget, with the label that says so. Undefined where the labels name none. */
export function operatorOf({ metadata: { labels = {} } }: PodDisruptionBudget): string | undefined {
  const mark = marks.find(({ label, value }) => label in labels && (value === '' || labels[label] === value));
  if (mark !== undefined) return `${mark.operator} (label ${mark.label})`;
  const manager = labels[managedBy];
  if (!manager || installers.some((name) => manager.toLowerCase().startsWith(name))) return undefined;
  return `${manager} (label ${managedBy})`;
}
