import type { Assessment } from '../assess/assessment.ts';
import { drainUnreachably } from '../drain/node.ts';
import { isUnreachable, unreachableSince } from '../kubernetes/objects.ts';
import type { Phase } from '../machine/phase.ts';
import type { PlannedPhase, PlannedUnreachable } from './deletion-plan.ts';

/** What changes where the Node is unreachable; undefined where it can be reached. */
export function planUnreachable(
  { dialect, onNode: { node } }: Pick<Assessment, 'dialect' | 'onNode'>,
  phases: readonly PlannedPhase[],
): PlannedUnreachable | undefined {
  if (node === undefined || !isUnreachable(node)) return undefined;
  const doesOf = (phase: Phase): PlannedPhase['does'] =>
    phases.find((each) => each.phase === phase)?.does ?? 'passed';
  const isDrained = ['work', 'wait'].includes(doesOf('drain'));
  const areAwaited = !['skip', 'passed'].includes(doesOf('volume-detach'));
  const since = unreachableSince(node);
  return {
    node: node.metadata.name,
    ...(since !== undefined && { since }),
    changes: [
      ...(isDrained ? drainUnreachably : []),
      ...(isDrained && dialect.drain.hurriesPodsOfUnreachableNodes ? [hurried] : []),
      ...(areAwaited ? ['volumes are not waited for'] : []),
    ],
  };
}

const hurried = 'Pods that are on their way already are evicted again with that grace period';
