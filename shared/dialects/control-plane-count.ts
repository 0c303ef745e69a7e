import type { ClusterState } from './status-input.ts';
import { undecidable } from './unknown.ts';

/** The words of the peers, before what was the matter: who reads them knows what could not be decided. */
export const undecided = 'failed to check if Kubernetes Node deletion is allowed';

const uncounted = { kind: 'unknown', why: 'the control plane Machines were not counted' } as const;

/** How many Machines the control plane has. Throws Unavailable where they were not counted, or could not be. */
export function countedMembers({ controlPlaneMembers: members }: ClusterState): number {
  if (typeof members === 'number') return members;
  throw undecidable(undecided, members ?? uncounted);
}
