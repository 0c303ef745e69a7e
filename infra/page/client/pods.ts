import { h } from 'preact';
import type { DeletionPlan, PlannedPod } from '../../../shared/plan/deletion-plan.ts';
import { Message } from './parts/message.ts';
import { Section } from './parts/section.ts';
import { still } from './parts/still.ts';
import { Table } from './parts/table.ts';

const verdicts: Record<PlannedPod['behavior'], string> = {
  Drain: 'is evicted',
  Skip: 'stays',
  WaitCompleted: 'is waited for',
};

/** The Pods on the Node, in the order in which they leave. */
export const Pods = still(({ plan }: { plan: DeletionPlan }) => {
  if (plan.pods.length === 0) return null;
  const leaving = new Map(
    plan.batches.flatMap(({ pods }, batch) => pods.map((pod) => [pod, batch + 1] as const)),
  );
  const rank = (pod: PlannedPod): number => leaving.get(nameOf(pod)) ?? plan.batches.length + 1;
  const rows = plan.pods.toSorted(
    (one, other) => rank(one) - rank(other) || nameOf(one).localeCompare(nameOf(other)),
  );
  return h(
    Section,
    { title: 'Pods on the Node' },
    h(
      'p',
      null,
      `${leaving.size} of ${rows.length} leave, in ${plan.batches.length} ${plan.batches.length === 1 ? 'batch' : 'batches'}.`,
    ),
    h(Table, {
      caption: 'Pods on the Node',
      heads: ['Pod', 'Verdict', 'Batch', 'Because of'],
      rows: rows.map((pod) => [
        nameOf(pod),
        verdicts[pod.behavior],
        leaving.has(nameOf(pod)) ? `${leaving.get(nameOf(pod))} (order ${pod.order})` : 'none',
        h(
          'div',
          null,
          pod.decidedBy,
          pod.warnings.map((text) => h(Message, { key: text, text })),
        ),
      ]),
    }),
  );
});

const nameOf = ({ namespace, name }: PlannedPod): string => `${namespace}/${name}`;
