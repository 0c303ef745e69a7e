import { shownDialect } from '../../../shared/assess/shown-dialect.ts';
import { dialects } from '../../../shared/dialects/registry.ts';
import type { Seen } from '../../../shared/explain/seen.ts';
import { standingOf } from '../../../shared/explain/status-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { DeletionPlan, PlannedPhase } from '../../../shared/plan/deletion-plan.ts';
import { now } from './standings.ts';

const does: PlannedPhase['does'] = 'work';

/** What was seen of a Machine where nothing is in the way; the plan may have more. */
export function seeing(raw: KubeObject, plan: Partial<DeletionPlan> = {}, more: Partial<Seen> = {}): Seen {
  const dialect = shownDialect(raw, dialects);
  if (dialect === undefined) throw new Error('no such API');
  const machine = dialect.read(raw);
  return {
    now,
    machine,
    dialect,
    standing: standingOf(raw, { now }),
    plan: {
      machine: machine.ref,
      held: [],
      phases: dialect.phases.map((phase) => ({ phase, does, why: '' })),
      pods: [],
      batches: [],
      refusals: [],
      volumes: [],
      hooks: [],
      message: '',
      ...plan,
    },
    pods: [],
    budgets: [],
    attachments: [],
    unread: [],
    kubectl: { management: 'kubectl', workload: 'kubectl --context blue' },
    ...more,
  };
}
