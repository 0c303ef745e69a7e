import type { DrainPlan } from '../drain/plan.ts';
import { cordonToleration, isMadeAgain } from '../drain/recreated-pods.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import { type Node, podName } from '../kubernetes/objects.ts';
import type { PlannedReturn } from './deletion-plan.ts';

/** Pods that are evicted and may be scheduled onto the cordoned Node again, in the order of the plan. */
export function planReturning(
  node: Node | undefined,
  plan: DrainPlan,
  verdicts: readonly PodVerdict[],
): PlannedReturn[] {
  if (node === undefined) return [];
  const evicted = new Set(verdicts.filter(({ behavior }) => behavior === 'Drain').map(({ pod }) => pod));
  return plan.batches
    .flatMap(({ pods }) => pods)
    .filter((pod) => evicted.has(pod) && isMadeAgain(pod))
    .flatMap((pod) => {
      const toleration = cordonToleration(pod, node);
      return toleration === undefined ? [] : [{ pod: podName(pod), toleration }];
    });
}
