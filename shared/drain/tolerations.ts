import type { Node, Pod, Taint, Toleration } from '../kubernetes/objects.ts';
import { controllerOf, isFinished } from '../kubernetes/pod.ts';
import { daemonSetOf } from './daemon-set.ts';

/** What the scheduler sees of a Node that is cordoned. */
const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Effects that keep a Pod from a Node; PreferNoSchedule does not. */
const keepingOut = ['NoSchedule', 'NoExecute'];

/** The toleration with which another Pod like this one may be scheduled onto the Node although it is cordoned. */
export function cordonToleration(pod: Pod, node: Node): Toleration | undefined {
  const tolerations = pod.spec?.tolerations ?? [];
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => keepingOut.includes(effect));
  const isKeptOut = taints.some((taint) => !tolerations.some((each) => tolerates(each, taint)));
  return isKeptOut ? undefined : tolerations.find((each) => tolerates(each, cordon));
}

/** As the scheduler compares them: the operator is Equal where none is given. */
function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  if (!key || (operator && operator !== 'Equal')) return false;
  return (value ?? '') === (taint.value ?? '');
}

/** Whether somebody makes another one in its place. A DaemonSet of Kubernetes keeps its Pods unless it is gone. */
export const isMadeAgain = (pod: Pod): boolean =>
  controllerOf(pod) !== undefined && !isFinished(pod) && daemonSetOf(pod, 'of-apps/v1') === undefined;
