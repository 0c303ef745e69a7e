import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Phase } from '../machine/phase.ts';
import type { Subject } from '../phase/definition.ts';
import type { PlannedPhase } from './deletion-plan.ts';
import type { PlannedNode } from './plan-node.ts';

/** What a plan cannot know, since it was made without it. */
export interface Unknown {
  /** The Machine may have a Node: that none is found says nothing. */
  isNodeMissing: boolean;
  /** Where the deletion stands that the API's own controller carries on: it leaves no checkpoint. */
  stands?: Checkpoint | undefined;
}

const why = 'its Node was not given';

/** Steps that pass, or are not for the Machine, for want of a Node. */
const ofNode: readonly Phase[] = ['drain', 'volume-detach', 'node'];
const ofNodeRef: readonly Phase[] = ['pre-drain', ...ofNode];

/** The phases, where what was not given is not taken for absent: nothing is known of those that depend on the Node. */
export function withoutNode(
  phases: readonly PlannedPhase[],
  { machine, nodeDeletion }: Subject,
  { node, isNodeMissing }: Pick<PlannedNode, 'node'> & Pick<Unknown, 'isNodeMissing'>,
): PlannedPhase[] {
  if (!isNodeMissing || node !== undefined) return [...phases];
  const isUnknown = ({ phase, does }: PlannedPhase): boolean => {
    if (nodeDeletion.allowed) return does === 'pass' && ofNode.includes(phase);
    // The Node that it does not name could be found by its providerID.
    return machine.nodeName === undefined && does === 'skip' && ofNodeRef.includes(phase);
  };
  return phases.map((planned) =>
    isUnknown(planned) ? { phase: planned.phase, does: 'unknown', why } : planned,
  );
}
