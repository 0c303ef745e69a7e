import type { Target } from '../discovery/resource.ts';
import { selects } from '../selectors/label-selector.ts';
import { areEqual, at, listOf, numberAt, objectOf, textAt } from '../server/json.ts';
import type { RemoveOptions } from '../verbs/marking.ts';
import { refuseUnmet, remove } from '../verbs/remove.ts';
import { type Api, conditionIn, mustExist, timestamp } from './api.ts';
import type { KubeObject } from './cluster.ts';
import { failure, internal } from './status.ts';

const violates = "Cannot evict pod as it would violate the pod's disruption budget.";
const ambiguous =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
const budgetStorage = 'poddisruptionbudgets.policy';

/** Deletes a Pod if the disruption budget over it allows that, and takes it off the budget. Throws ApiError. */
export function evict(api: Api, target: Target, options: RemoveOptions): void {
  const pod = mustExist(api, target);
  if (isCounted(pod)) askBudgets(api, pod, options.dryRun === true);
  removeMarked(api, target, pod, options);
}

/** Pods that are ending, have ended or have not begun are no loss to a budget. */
function isCounted(pod: KubeObject): boolean {
  if (pod.metadata.deletionTimestamp) return false;
  return !['Succeeded', 'Failed', 'Pending'].includes(textAt(pod, 'status', 'phase'));
}

function askBudgets(api: Api, pod: KubeObject, dryRun: boolean): void {
  const { namespace, labels = {} } = pod.metadata;
  const covers = (budget: KubeObject) =>
    budget.metadata.namespace === namespace && selects(at(budget, 'spec', 'selector'), labels);
  const [budget, ...others] = api.store.list(budgetStorage).filter(covers);
  if (!budget) return;
  if (others.length > 0) throw internal(ambiguous);
  if (!isReady(pod) && ignoresUnready(budget)) return;
  const spent = spend(api, budget, pod.metadata.name);
  if (!dryRun) api.store.put(budgetStorage, spent);
}

const isReady = (pod: KubeObject): boolean => textAt(conditionIn(pod, 'Ready'), 'status') === 'True';

function ignoresUnready(budget: KubeObject): boolean {
  if (textAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = countOf(budget, 'desiredHealthy');
  return desired > 0 && countOf(budget, 'currentHealthy') >= desired;
}

function countOf(budget: KubeObject, field: string): number {
  return numberAt(budget, 'status', field) ?? 0;
}

/** The budget with one disruption less. Throws ApiError 429 when there is none to take. */
function spend(api: Api, budget: KubeObject, podName: string): KubeObject {
  const { name, generation = 0 } = budget.metadata;
  if (countOf(budget, 'observedGeneration') < generation) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const allowed = countOf(budget, 'disruptionsAllowed');
  if (allowed === 0) throw tooMany(exhausted(budget));
  const now = timestamp(api.clock.now());
  const status = objectOf(budget.status);
  const disruptedPods = { ...objectOf(status.disruptedPods), [podName]: now };
  const spent = { ...status, disruptedPods, disruptionsAllowed: allowed - 1 };
  return {
    ...budget,
    status: allowed > 1 ? spent : { ...spent, conditions: exhaustedConditions(budget, now) },
  };
}

function tooMany(message: string, retryAfterSeconds?: number): Error {
  const causes = [{ reason: 'DisruptionBudget', message }];
  return failure(429, 'TooManyRequests', violates, {
    causes,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function exhausted(budget: KubeObject): string {
  const { name } = budget.metadata;
  const condition = conditionIn(budget, 'DisruptionAllowed');
  if (textAt(condition, 'status') === 'False' && textAt(condition, 'reason') === 'SyncFailed') {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${textAt(condition, 'message')}`;
  }
  const current = countOf(budget, 'currentHealthy');
  const desired = countOf(budget, 'desiredHealthy');
  if (current > desired) return `The disruption budget ${name} does not allow evicting pods currently`;
  return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
}

function exhaustedConditions(budget: KubeObject, now: string): unknown[] {
  const known = conditionIn(budget, 'DisruptionAllowed');
  const isSame = textAt(known, 'status') === 'False';
  return withCondition(budget, {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: budget.metadata.generation ?? 0,
    lastTransitionTime: isSame ? textAt(known, 'lastTransitionTime') : now,
    reason: 'InsufficientPods',
    message: '',
  });
}

/** Writes the Pod's condition first, then its deletion. The second write builds on the result of the first. */
function removeMarked(api: Api, target: Target, pod: KubeObject, options: RemoveOptions): void {
  refuseUnmet(target.resource, pod, options);
  const told = marked(api, pod);
  const written = options.dryRun || told === pod ? pod : api.store.put('pods', told);
  remove(api, { ...target, subresource: '' }, meaning(written, options));
}

/** The version that was meant is that of the marked Pod by now. */
function meaning({ metadata }: KubeObject, options: RemoveOptions): RemoveOptions {
  const { preconditions } = options;
  const { resourceVersion } = metadata;
  if (preconditions?.resourceVersion === undefined || resourceVersion === undefined) return options;
  return { ...options, preconditions: { ...preconditions, resourceVersion } };
}

/** The Pod with the reason of its end in its condition; the Pod itself if the condition says so already. */
function marked(api: Api, pod: KubeObject): KubeObject {
  const known = conditionIn(pod, 'DisruptionTarget');
  const isSame = textAt(known, 'status') === 'True';
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: isSame ? at(known, 'lastTransitionTime') : timestamp(api.clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  if (areEqual(known, condition)) return pod;
  return { ...pod, status: { ...objectOf(pod.status), conditions: withCondition(pod, condition) } };
}

/** The object's conditions with this one in its place, or added. */
function withCondition(object: KubeObject, condition: { type: string; [field: string]: unknown }): unknown[] {
  const conditions = listOf(at(object, 'status', 'conditions'));
  const index = conditions.findIndex((one) => textAt(one, 'type') === condition.type);
  return index < 0 ? [...conditions, condition] : conditions.with(index, condition);
}
