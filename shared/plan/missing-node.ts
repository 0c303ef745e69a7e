import type { Assessment } from '../assess/assessment.ts';
import type { Phase } from '../machine/phase.ts';
import type { PlannedPhase } from './deletion-plan.ts';

/** What was not given, where there is a dump in the place of a cluster: that it is not there says nothing. */
export interface NotGiven {
  /** The Machine may have a Node. */
  isNodeMissing?: boolean;
  /** There may be PersistentVolumes. */
  areVolumesMissing?: boolean;
}

const why = 'its Node was not given';

/** Steps that pass, or are not for the Machine, for want of a Node. */
const ofNode: readonly Phase[] = ['drain', 'volume-detach', 'node'];
const ofNodeRef: readonly Phase[] = ['pre-drain', ...ofNode];

/** The phases, where what was not given is not taken for absent: nothing is known of those that depend on the Node. */
export function withoutNode(
  phases: readonly PlannedPhase[],
  { machine, mayTouchNode, onNode: { node } }: Pick<Assessment, 'machine' | 'mayTouchNode' | 'onNode'>,
  { isNodeMissing = false }: NotGiven,
): PlannedPhase[] {
  if (!isNodeMissing || node !== undefined) return [...phases];
  const isUnknown = ({ phase, does }: PlannedPhase): boolean => {
    if (mayTouchNode) return does === 'pass' && ofNode.includes(phase);
    // The Node that it does not name could be found by its providerID.
    return machine.nodeName === undefined && does === 'skip' && ofNodeRef.includes(phase);
  };
  return phases.map((planned) =>
    isUnknown(planned) ? { phase: planned.phase, does: 'unknown', why } : planned,
  );
}
