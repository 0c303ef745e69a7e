import { isAboutOwner } from '../../phase/owner-message.ts';
import type { PlannedPhase } from '../../plan/deletion-plan.ts';
import type { Cause } from '../explanation.ts';
import type { Seen } from '../seen.ts';

/** Whether this says that a Node is not proven to be the Machine's own. */
export const isUndecided = ({ unknownNode: why }: Pick<Seen, 'unknownNode'>, said: string): boolean =>
  said === why || isAboutOwner(said);

/** What is wrong with the Node itself, or with what is known of it. */
export function nodeCauses(seen: Seen, phases: readonly PlannedPhase[]): Cause[] {
  const undecided = phases.find(({ does, why }) => does === 'wait' && isUndecided(seen, why));
  const other = phases.find(
    ({ phase, does, why }) => phase === 'drain' && does === 'wait' && !isUndecided(seen, why),
  );
  const { unreachable } = seen.plan;
  return [
    ...(undecided === undefined ? [] : [undecidedCause(undecided)]),
    ...(other === undefined ? [] : [waitingCause(other)]),
    ...(unreachable === undefined || unreachable.changes.length === 0 ? [] : [unreachableCause(unreachable)]),
  ];
}

const undecidedCause = ({ phase, why }: PlannedPhase): Cause => ({
  kind: 'node',
  phase,
  what: why,
  details: [],
  endsByItself: 'no',
  why: 'nothing is done to a Node before it is known whose it is, and no time limit ends that',
});

/** Another Node of the control plane is cordoned, or a rule makes no sense. */
const waitingCause = ({ phase, why }: PlannedPhase): Cause => ({
  kind: 'node',
  phase,
  what: why,
  details: [],
  endsByItself: 'unknown',
  why: 'it is tried again: that ends where it is put right',
});

const unreachableCause = ({ node, since, changes }: NonNullable<Seen['plan']['unreachable']>): Cause => ({
  kind: 'node',
  phase: 'drain',
  what: `Node ${node} is unreachable${since === undefined ? '' : `, since ${since}`}`,
  object: { side: 'workload', resource: 'nodes', kind: 'Node', name: node },
  details: changes,
  endsByItself: 'yes',
  why: 'the drain goes on without its kubelet',
});
