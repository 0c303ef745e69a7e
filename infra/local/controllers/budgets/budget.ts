import type { Instant } from '../../../../shared/time/clock.ts';
import {
  type BudgetStatus,
  type Condition,
  isTerminating,
  type Pod,
  type PodDisruptionBudget,
  withCondition,
} from '../machinery/objects.ts';
import type { Expectation } from '../workloads/expected-pods.ts';
import { isReady } from '../workloads/pods.ts';

/** An eviction that was allowed is counted as if it had happened, until it does or for this long. */
export const disruptionMilliseconds = 2 * 60_000;

export interface BudgetView {
  budget: PodDisruptionBudget;
  /** All Pods that its selector matches. */
  pods: readonly Pod[];
  expectation: Expectation;
  /** Pods that have gone and count as replaced, since their owner is not here to do it. */
  replaced?: number;
  now: Instant;
}

/** What status a PodDisruptionBudget should have, by the rules of the disruption controller. */
export function budgetStatus(view: BudgetView): BudgetStatus {
  const { budget, pods, expectation, replaced = 0, now } = view;
  const needed = requirement(budget, pods.length + replaced, withReplaced(expectation, replaced));
  if ('failure' in needed) return failed(budget, needed.failure, now);

  const disruptedPods = stillDisrupted(view);
  const healthy = pods.filter(
    (pod) => !isTerminating(pod) && !(pod.metadata.name in disruptedPods) && isReady(pod),
  );
  const currentHealthy = healthy.length + replaced;
  const spare = currentHealthy - needed.desired;
  const disruptionsAllowed = needed.expected <= 0 ? 0 : Math.max(0, spare);
  return {
    observedGeneration: budget.metadata.generation ?? 1,
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy: needed.desired,
    expectedPods: needed.expected,
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    conditions: withCondition(budget.status?.conditions, verdict(disruptionsAllowed, budget), now),
  };
}

const withReplaced = (expectation: Expectation, replaced: number): Expectation =>
  'failure' in expectation ? expectation : { count: expectation.count + replaced };

type Requirement = { expected: number; desired: number } | { failure: string };

function requirement(budget: PodDisruptionBudget, matching: number, expectation: Expectation): Requirement {
  const { maxUnavailable, minAvailable } = budget.spec ?? {};
  if (typeof minAvailable === 'number') return { expected: matching, desired: minAvailable };
  if (minAvailable === undefined && maxUnavailable === undefined) return { expected: matching, desired: 0 };
  if ('failure' in expectation) return expectation;
  const expected = expectation.count;
  if (minAvailable !== undefined) return { expected, desired: portion(minAvailable, expected) };
  return { expected, desired: Math.max(0, expected - portion(maxUnavailable ?? 0, expected)) };
}

/** A number, or a percentage of the whole rounded up. */
function portion(value: number | string, whole: number): number {
  if (typeof value === 'number') return value;
  return Math.ceil((Number.parseInt(value, 10) * whole) / 100) || 0;
}

/** Evictions still to be seen: the Pod is there, not terminating, and its time is not over. */
function stillDisrupted({ budget, pods, now }: BudgetView): Record<string, string> {
  const pending = Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, time]) => {
    const pod = pods.find((candidate) => candidate.metadata.name === name);
    return pod !== undefined && !isTerminating(pod) && Date.parse(time) + disruptionMilliseconds > now;
  });
  return Object.fromEntries(pending);
}

function verdict(disruptionsAllowed: number, budget: PodDisruptionBudget): Condition {
  const isAllowed = disruptionsAllowed > 0;
  return {
    type: 'DisruptionAllowed',
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: budget.metadata.generation ?? 1,
  };
}

function failed(budget: PodDisruptionBudget, message: string, now: Instant): BudgetStatus {
  const condition: Condition = { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message };
  const observed = budget.status?.observedGeneration;
  const observedCondition =
    observed === undefined ? condition : { ...condition, observedGeneration: observed };
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: withCondition(budget.status?.conditions, observedCondition, now),
  };
}
