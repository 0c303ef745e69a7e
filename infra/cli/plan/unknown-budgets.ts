import type { DeletionPlan, PlannedRefusal } from '../../../shared/plan/deletion-plan.ts';

/** The plan without what a budget would answer where no controller has computed that budget. */
export function withoutUnknown(plan: DeletionPlan, unknownBudgets: ReadonlySet<string>): DeletionPlan {
  const refusals = plan.refusals.map((refusal) =>
    refusal.budget !== undefined && unknownBudgets.has(refusal.budget) ? unknown(refusal) : refusal,
  );
  return { ...plan, refusals };
}

const unknown = ({ explanation: _, ...refusal }: PlannedRefusal): PlannedRefusal => ({
  ...refusal,
  cause: 'Unknown',
  message:
    'unknown: no controller runs here that computes the budget, and it depends on what the owners of its Pods want',
});
