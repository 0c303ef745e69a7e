import type { DeletionPlan, PlannedRefusal } from '../../../shared/plan/deletion-plan.ts';

/** The plan without what a budget would answer where no controller has computed that budget. */
export function withoutUnknown(plan: DeletionPlan, unknownBudgets: ReadonlySet<string>): DeletionPlan {
  const refusals = plan.refusals.map((refusal): PlannedRefusal => {
    const { pod, budget } = refusal;
    if (budget === undefined || !unknownBudgets.has(budget)) return refusal;
    return { pod, cause: 'Unknown', message: notComputed, budget };
  });
  return { ...plan, refusals };
}

const notComputed =
  'unknown: no controller runs here that computes the budget, and it depends on what the owners of its Pods want';
