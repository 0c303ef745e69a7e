import { isDeepStrictEqual } from 'node:util';
import { selects } from '../../kubernetes/selectors/label-selector.ts';
import type { Grouping } from '../machinery/informer.ts';
import {
  type BudgetStatus,
  conditionOf,
  keyOf,
  type LabelSelector,
  type Pod,
  type PodDisruptionBudget,
  type Workload,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { expectedPods, isOfUnknownOwner, replacedPods } from '../workloads/expected-pods.ts';
import { byLabel } from '../workloads/pods.ts';
import { budgetStatus, disruptionMilliseconds } from './budget.ts';

const resource = 'poddisruptionbudgets.policy';

const byNamespace: Grouping<PodDisruptionBudget> = (budget) => [budget.metadata.namespace ?? ''];

/** Keeps the status of every PodDisruptionBudget, from which the eviction API decides. */
export function disruption(world: World): void {
  const budgets = world.informer<PodDisruptionBudget>(resource);
  const pods = world.informer<Pod>('pods');
  const replacedOf = replacedPods(world);

  const queue = world.queue('disruption', (key) => {
    const budget = budgets.get(key);
    if (budget === undefined) return;
    const selected = podsOf(world, budget);
    // The cluster's own controller could ask the owners and failed: what is here can tell no better.
    if (isFailed(budget) && selected.some((pod) => isOfUnknownOwner(world, pod))) return;
    const expectation = expectedPods(world, selected);
    const replaced = replacedOf(budget.metadata.namespace ?? '', (pod) => isSelectedBy(budget, pod));
    const status = budgetStatus({ budget, pods: selected, expectation, replaced, now: world.clock.now() });
    const oldest = Math.min(...Object.values(status.disruptedPods ?? {}).map((time) => Date.parse(time)));
    if (Number.isFinite(oldest)) queue.addAt(key, oldest + disruptionMilliseconds);
    writeStatus(world, budget, status);
  });

  budgets.onChange(({ key }) => queue.add(key));
  pods.onChange(({ before, after }) => {
    for (const budget of budgets.in(byNamespace, (after ?? before)?.metadata.namespace ?? '')) {
      if ([before, after].some((pod) => pod && isSelectedBy(budget, pod))) queue.add(keyOf(budget));
    }
  });
  for (const scaled of ['deployments.apps', 'replicasets.apps', 'statefulsets.apps']) {
    world.informer<Workload>(scaled).onChange(({ before, after }) => {
      if (before && after && before.spec?.replicas === after.spec?.replicas) return;
      for (const budget of budgets.in(byNamespace, (after ?? before)?.metadata.namespace ?? '')) {
        queue.add(keyOf(budget));
      }
    });
  }
}

const isFailed = ({ status }: PodDisruptionBudget): boolean =>
  conditionOf(status?.conditions, 'DisruptionAllowed')?.reason === 'SyncFailed';

function isSelectedBy(budget: PodDisruptionBudget, pod: Pod): boolean {
  return selects(budget.spec?.selector, pod.metadata.labels);
}

/** The Pods that the budget selects. */
export function podsOf(world: World, budget: PodDisruptionBudget): Pod[] {
  const group = narrowest(budget.metadata.namespace ?? '', budget.spec?.selector);
  return world
    .informer<Pod>('pods')
    .in(byLabel, group)
    .filter((pod) => isSelectedBy(budget, pod));
}

function narrowest(namespace: string, selector: LabelSelector | undefined): string {
  const [pair] = Object.entries(selector?.matchLabels ?? {});
  return pair === undefined ? namespace : `${namespace}/${pair[0]}=${pair[1]}`;
}

function writeStatus(world: World, budget: PodDisruptionBudget, status: BudgetStatus): void {
  const before = { disruptedPods: {}, ...budget.status };
  const after = { disruptedPods: {}, ...status };
  if (isDeepStrictEqual(before, after)) return;
  const gone = Object.keys(before.disruptedPods).filter((name) => !(name in after.disruptedPods));
  const left = { ...after.disruptedPods, ...Object.fromEntries(gone.map((name) => [name, null])) };
  const disruptedPods = Object.keys(after.disruptedPods).length === 0 ? null : left;
  // An eviction counts a budget down on its own; one that came in between must not be forgotten.
  world.patchUnchanged(resource, budget, { status: { ...status, disruptedPods } }, 'status');
}
