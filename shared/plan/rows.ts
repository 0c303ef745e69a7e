import type { RefusalAhead, Refusals } from '../assess/assessment.ts';
import { budgetKey } from '../drain/budget-cause.ts';
import type { DrainPlan } from '../drain/plan.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import { type Pod, podName, uidOf } from '../kubernetes/objects.ts';
import type { PlannedNamespace, PlannedPod, PlannedRefusal, PlannedRefusalAhead } from './deletion-plan.ts';

export const plannedPod =
  ({ completed }: DrainPlan) =>
  ({ pod, behavior, order, decidedBy, warnings }: PodVerdict): PlannedPod => ({
    namespace: pod.metadata.namespace ?? '',
    name: pod.metadata.name,
    behavior,
    order,
    decidedBy,
    warnings,
    ...(completed.some((each) => uidOf(each) === uidOf(pod)) && { hasCompleted: true }),
  });

/** Of the Pods that have to go now those that would not be let go. */
export const plannedRefusals = ({ evictNow }: DrainPlan, refusals: Refusals | undefined): PlannedRefusal[] =>
  refusals === undefined
    ? []
    : evictNow.flatMap((pod) => plannedRefusal(pod, refusals.answers.get(uidOf(pod)), refusals.uncomputed));

/** Those of later batches that never will. */
export const plannedRefusalsAhead = (refusals: Refusals | undefined): PlannedRefusalAhead[] =>
  (refusals?.ahead ?? []).flatMap(({ batch, pod, answer }: RefusalAhead) =>
    plannedRefusal(pod, answer).map((refusal) => ({ ...refusal, batch })),
  );

const none: ReadonlySet<string> = new Set();

/** Empty for a Pod that would be let go. */
function plannedRefusal(
  pod: Pod,
  answer: EvictionAnswer | undefined,
  uncomputed: ReadonlySet<string> = none,
): PlannedRefusal[] {
  if (answer?.kind !== 'refused') return [];
  const { cause, text, explanation } = answer;
  const budget = answer.budget === undefined ? undefined : budgetKey(pod.metadata.namespace, answer.budget);
  const isUnknown = budget !== undefined && uncomputed.has(budget);
  const more = { ...(budget !== undefined && { budget }), ...(explanation !== undefined && { explanation }) };
  return [{ pod: podName(pod), cause: isUnknown ? 'Unknown' : cause, message: text, ...more }];
}

export const plannedNamespaces = (refusals: Refusals | undefined): PlannedNamespace[] =>
  (refusals?.terminating ?? []).map(({ name, since, remaining }) => ({
    name,
    reason: 'NamespaceTerminating',
    since,
    remaining,
  }));
