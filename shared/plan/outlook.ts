import type { Subject } from '../phase/definition.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import type { DeletionPlan, PlannedPhase } from './deletion-plan.ts';
import type { PlannedNode } from './plan-node.ts';
import { planReturning } from './returning-pods.ts';
import { planLimits } from './time-limits.ts';
import { planUnawaited } from './unawaited-volumes.ts';
import { planUnreachable } from './unreachable-node.ts';

type Outlook = Pick<DeletionPlan, 'limits' | 'unreachable' | 'returning' | 'unawaited' | 'namespaces'>;

/** What will matter on the way: where nothing does, it is left out. */
export async function planOutlook(
  snapshot: Snapshot,
  subject: Subject,
  planned: PlannedNode,
  phases: readonly PlannedPhase[],
): Promise<Outlook> {
  const { node, plan, verdicts, terminating = [] } = planned;
  const limits = await planLimits(snapshot, subject, phases);
  const unreachable = planUnreachable(subject, node, phases);
  const returning = planReturning(node, plan, verdicts);
  const unawaited = await planUnawaited(snapshot, subject, planned, phases);
  return {
    ...(limits.length > 0 && { limits }),
    ...(unreachable !== undefined && { unreachable }),
    ...(returning.length > 0 && { returning }),
    ...(unawaited.length > 0 && { unawaited }),
    ...(terminating.length > 0 && { namespaces: terminating }),
  };
}
