import type { EvictionAnswer } from '../kubernetes/client.ts';
import { parseSelector } from '../kubernetes/label-selector.ts';
import { type Pod, type PodDisruptionBudget, uidOf } from '../kubernetes/objects.ts';
import {
  disruptionsAllowed,
  explainBudget,
  isBeyondBudgets,
  isObserved,
  isUnguarded,
  syncFailureOf,
} from './budget-cause.ts';
import type { DrainPlan } from './plan.ts';

const blocked = "Cannot evict pod as it would violate the pod's disruption budget.";
const twoBudgets =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';

/**
 * What the API would answer to evictions of the current batch now, one after another, by Pod UID. Each granted disruption is
 * taken off its budget, as the disruption controller does.
 */
export function previewEvictions(
  plan: Pick<DrainPlan, 'evictNow'>,
  budgets: readonly PodDisruptionBudget[],
): Map<string, EvictionAnswer> {
  const guards = budgets.map(guardOf);
  return new Map(plan.evictNow.map((pod) => [uidOf(pod), answerTo(pod, guards)]));
}

interface Guard {
  budget: PodDisruptionBudget;
  guards(pod: Pod): boolean;
  granted: number;
}

/** A budget whose selector is invalid or absent guards nothing. */
function guardOf(budget: PodDisruptionBudget): Guard {
  const selector = parseSelector(budget.spec?.selector, 'spec.selector');
  return {
    budget,
    guards: (pod) =>
      pod.metadata.namespace === budget.metadata.namespace &&
      selector.kind === 'valid' &&
      selector.matches(pod.metadata.labels ?? {}),
    granted: 0,
  };
}

function answerTo(pod: Pod, guards: readonly Guard[]): EvictionAnswer {
  if (isBeyondBudgets(pod)) return { kind: 'accepted' };
  const [guard, second] = guards.filter((each) => each.guards(pod));
  if (guard === undefined) return { kind: 'accepted' };
  if (second !== undefined) return { kind: 'refused', cause: 'MultipleBudgets', text: twoBudgets };
  if (isUnguarded(pod, guard.budget)) return { kind: 'accepted' };
  if (isObserved(guard.budget) && disruptionsAllowed(guard.budget) > guard.granted) {
    guard.granted += 1;
    return { kind: 'accepted' };
  }
  return refusalBy(guard, pod);
}

function refusalBy({ budget, granted }: Guard, pod: Pod): EvictionAnswer {
  const { name } = budget.metadata;
  const explained = granted > 0 ? { cause: 'BudgetExhausted' as const } : explainBudget(budget, pod);
  const text = `${blocked} ${causeText(budget, granted)}`;
  const retryAfter = isObserved(budget) ? {} : { retryAfterSeconds: 10 };
  return { kind: 'refused', ...explained, text, budget: name, ...retryAfter };
}

function causeText(budget: PodDisruptionBudget, granted: number): string {
  const { metadata, status } = budget;
  if (!isObserved(budget))
    return `The disruption budget ${metadata.name} is still being processed by the server.`;
  // Where it could not be computed its numbers say nothing.
  const syncFailure = syncFailureOf(budget);
  if (syncFailure !== undefined)
    return `The disruption budget ${metadata.name} does not allow evicting pods currently because it failed sync: ${syncFailure}`;
  const desired = status?.desiredHealthy ?? 0;
  const current = (status?.currentHealthy ?? 0) - granted;
  return current > desired
    ? `The disruption budget ${metadata.name} does not allow evicting pods currently`
    : `The disruption budget ${metadata.name} needs ${desired} healthy pods and has ${current} currently`;
}
