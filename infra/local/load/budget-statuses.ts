import { allowsNoneBySpec } from '../../../shared/drain/budget-cause.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { budgetStatus } from '../controllers/budgets/budget.ts';
import { podsOf } from '../controllers/budgets/disruption.ts';
import { type BudgetStatus, keyOf, type PodDisruptionBudget } from '../controllers/machinery/objects.ts';
import { defaultSettings } from '../controllers/machinery/settings.ts';
import { World } from '../controllers/machinery/world.ts';
import { type Expectation, expectedPods } from '../controllers/workloads/expected-pods.ts';
import type { Cluster } from '../kubernetes/objects/cluster.ts';

const resource = 'poddisruptionbudgets.policy';

/** The keys of the budgets that no controller has computed. They have no status, or that of a new object. */
export const uncomputedBudgets = (cluster: Cluster): string[] =>
  cluster.list(resource).filter(isUncomputed).map(keyOf);

function isUncomputed({ status = {} }: PodDisruptionBudget): boolean {
  const {
    currentHealthy = 0,
    desiredHealthy = 0,
    disruptionsAllowed = 0,
    expectedPods: expected = 0,
  } = status;
  const isCounted = currentHealthy + desiredHealthy + disruptionsAllowed + expected > 0;
  return status.observedGeneration === undefined && (status.conditions ?? []).length === 0 && !isCounted;
}

/** PodDisruptionBudgets without a status in a dump: computed ones, and those that stay unknown. */
export interface ComputedBudgets {
  computed: string[];
  /** The replicas that the owners of their Pods want are unknown here. */
  unknown: ReadonlySet<string>;
}

/** Gives these budgets the status that the disruption controller would compute from the Pods and owners there are. */
export function computeBudgets(cluster: Cluster, clock: Clock, keys: readonly string[]): ComputedBudgets {
  const computed: string[] = [];
  const unknown = new Set<string>();
  const world = new World(cluster, clock, defaultSettings, (error) => {
    throw error;
  });
  const budgets = world.informer<PodDisruptionBudget>(resource);
  for (const key of keys) {
    const budget = budgets.get(key);
    if (budget === undefined) continue;
    const status = statusOf(world, budget);
    // Controllers that made other Pods may have computed it from what was given alone.
    world.writeStatus(resource, budget, status ?? null);
    if (status === undefined) unknown.add(key);
    else computed.push(key);
  }
  world.stop();
  return { computed, unknown };
}

function statusOf(world: World, budget: PodDisruptionBudget): BudgetStatus | undefined {
  const pods = podsOf(world, budget);
  const statusWith = (expectation: Expectation): BudgetStatus =>
    budgetStatus({ budget, pods, expectation, now: world.clock.now() });
  const expectation = expectedPods(world, pods);
  const status = statusWith(expectation);
  const isFailed = status.conditions?.some(({ reason }) => reason === 'SyncFailed') === true;
  if (!isFailed || !('failure' in expectation) || expectation.isUnknown !== true) return status;
  // Such a spec allows no eviction, for any number of replicas.
  return allowsNoneBySpec(budget) ? statusWith({ count: pods.length }) : undefined;
}
