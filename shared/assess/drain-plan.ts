import { type DrainPlan, planDrain } from '../drain/plan.ts';
import type { OnNode } from './assessment.ts';

const nothing: DrainPlan = planDrain([], { records: new Map() });

/** What the drain has to do, as it has decided; nothing where it is passed over, or was not looked at. */
export const drainPlanOf = ({ drain }: Pick<OnNode, 'drain'>): DrainPlan =>
  drain?.kind === 'judged' ? drain.plan : nothing;
