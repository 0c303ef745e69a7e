import type { Assessment, OnNode } from '../assess/assessment.ts';
import { drainUnreachably } from '../drain/node.ts';
import type { DrainPlan } from '../drain/plan.ts';
import { cordonToleration, isMadeAgain } from '../drain/recreated-pods.ts';
import { isUnreachable, podName, uidOf, unreachableSince } from '../kubernetes/objects.ts';
import { nodePhases, type Phase } from '../machine/phase.ts';
import type { PlannedPhase, PlannedReturn, PlannedUnreachable } from './deletion-plan.ts';

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

/** Pods that are evicted and come onto the cordoned Node again, in the order of the plan. */
export function planReturning(
  { node, verdicts = [], pinned = new Map() }: Pick<OnNode, 'node' | 'verdicts' | 'pinned'>,
  plan: DrainPlan,
): PlannedReturn[] {
  if (node === undefined) return [];
  const evicted = new Set(verdicts.filter(({ behavior }) => behavior === 'Drain').map(({ pod }) => pod));
  return plan.batches
    .flatMap(({ pods }) => pods)
    .filter((pod) => evicted.has(pod) && isMadeAgain(pod))
    .flatMap((pod): PlannedReturn[] => {
      const pinnedBy = pinned.get(uidOf(pod));
      if (pinnedBy !== undefined) return [{ pod: podName(pod), pinnedBy }];
      const toleration = cordonToleration(pod, node);
      return toleration === undefined ? [] : [{ pod: podName(pod), toleration }];
    });
}

/** What was not given, where a dump stands in for a cluster. That it is missing says nothing. */
export interface NotGiven {
  /** The Machine may have a Node. */
  isNodeMissing?: boolean;
  /** There may be PersistentVolumes. */
  areVolumesMissing?: boolean;
}

const noNodeGiven = 'its Node was not given';

/** Steps that pass, or are not for the Machine, for want of a Node. */
const ofNode: readonly Phase[] = nodePhases.filter((phase) => phase !== 'pre-drain');

/** The phases, where a missing input is not taken for absent. Nothing is known of those that depend on the Node. */
export function withoutNode(
  phases: readonly PlannedPhase[],
  { machine, mayTouchNode, onNode: { node } }: Pick<Assessment, 'machine' | 'mayTouchNode' | 'onNode'>,
  { isNodeMissing = false }: NotGiven,
): PlannedPhase[] {
  if (!isNodeMissing || node !== undefined) return [...phases];
  const isUnknown = ({ phase, does }: PlannedPhase): boolean => {
    if (mayTouchNode) return does === 'pass' && ofNode.includes(phase);
    // The Node that it does not name could be found by its providerID.
    return machine.nodeName === undefined && does === 'skip' && nodePhases.includes(phase);
  };
  return phases.map((planned) =>
    isUnknown(planned) ? { phase: planned.phase, does: 'unknown', why: noNodeGiven } : planned,
  );
}
