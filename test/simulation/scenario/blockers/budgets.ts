import type { Node, Pod } from '../../../../infra/local/controllers/machinery/objects.ts';
import { isSelected, isTolerated } from '../../../../infra/local/controllers/nodes/nodes.ts';
import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf, numberAt, objectOf, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { anyOf, isGoing, type Obstacle } from './case.ts';
import { isUnreachable, readyOf } from './node.ts';
import { selects } from './selectors.ts';
import { isFinished } from './verdicts.ts';

/** Why budgets will never let go of a Pod that must go. */
export function budgetObstacle(cluster: Cluster, pod: KubeObject): Obstacle | undefined {
  if (isFinished(pod) || textAt(pod, 'status', 'phase') === 'Pending') return undefined;
  const [budget, ...others] = budgetsOver(cluster, pod);
  if (budget === undefined) return undefined;
  if (others.length > 0) return twoBudgets(pod);
  if (numberAt(budget, 'status', 'disruptionsAllowed') !== 0 || isUnsettled(cluster, budget))
    return undefined;
  if (readyOf(pod) !== 'True' && letsUnreadyGo(budget)) return undefined;
  const { name } = budget.metadata;
  return {
    kind: 'budget',
    what: `the budget ${name} over the Pod ${pod.metadata.name}`,
    says: anyOf([name]),
  };
}

const twoBudgets = ({ metadata: { name } }: KubeObject): Obstacle => ({
  kind: 'budget',
  what: `two budgets over the Pod ${name}`,
  says: /more than one PodDisruptionBudget/,
});

const covers = (budget: KubeObject, { metadata }: KubeObject): boolean =>
  budget.metadata.namespace === metadata.namespace &&
  selects(at(budget, 'spec', 'selector'), metadata.labels ?? {}) === true;

const budgetsOver = (cluster: Cluster, pod: KubeObject): KubeObject[] =>
  cluster
    .list('poddisruptionbudgets.policy', { namespace: pod.metadata.namespace ?? '' })
    .filter((budget) => covers(budget, pod));

function letsUnreadyGo(budget: KubeObject): boolean {
  if (textAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  return desired > 0 && (numberAt(budget, 'status', 'currentHealthy') ?? 0) >= desired;
}

/** It may allow more in a moment: it is not yet observed, or one of its Pods becomes ready soon. */
function isUnsettled(cluster: Cluster, budget: KubeObject): boolean {
  if (isUncountable(budget)) return false;
  if (numberAt(budget, 'status', 'observedGeneration') !== budget.metadata.generation) return true;
  const disrupted = objectOf(at(budget, 'status', 'disruptedPods'));
  const pods = cluster.list('pods', { namespace: budget.metadata.namespace ?? '' });
  return pods
    .filter((pod) => covers(budget, pod) && !isGoing(pod))
    .some((pod) => pod.metadata.name in disrupted || willBeReady(cluster, pod));
}

/** No scale says how many Pods a Job or a DaemonSet wants: its budget's generation is never observed. */
const isUncountable = (budget: KubeObject): boolean =>
  listOf(at(budget, 'status', 'conditions')).some((each) => textAt(each, 'reason') === 'SyncFailed');

function willBeReady(cluster: Cluster, pod: Pod): boolean {
  if (isFinished(pod) || readyOf(pod) === 'True') return false;
  const nodeName = pod.spec?.nodeName ?? '';
  const nodes: Node[] = cluster.list('nodes');
  if (nodeName === '') return nodes.some((node) => takes(node, pod));
  return nodes.some((node) => node.metadata.name === nodeName && !isUnreachable(node));
}

/** The scheduler's rules. */
const takes = (node: Node, pod: Pod): boolean =>
  readyOf(node) === 'True' &&
  !isGoing(node) &&
  isSelected(pod.spec?.nodeSelector, node) &&
  isTolerated(node, pod.spec?.tolerations);
