import type { KubeObject, Node } from '../kubernetes/objects.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Report } from '../machine/report.ts';
import type { Instant } from '../time/clock.ts';
import { type Observed, type Unknown, undecidable } from './gate.ts';

/** The surroundings that guards look at before every effect. */
export interface ClusterState {
  /** Absent where the Machine belongs to none, or the Machine API knows none. */
  cluster: KubeObject | undefined;
  controlPlane: Observed;
  /** Control plane Machines of the cluster, as its API counts them; undefined when not counted. Not all rules go by it. */
  controlPlaneMembers: number | Unknown | undefined;
  /** The Machine's Node is the one that this instance runs on. */
  runsUs: boolean;
}

/** What a Machine's status tells of beside the deletion itself. */
export type Place = 'infrastructure' | 'bootstrap' | 'node';

/** Whose the Node is that a Machine names, as one look has judged it. */
export type Ownership =
  | { kind: 'own'; name: string; uid: string }
  /** Another server's, with the UID of that Node; no Node is the Machine's own. */
  | { kind: 'another'; why: string; uid: string }
  /** Nothing is done to a Node until that is known. Without a UID where there are several. */
  | { kind: 'unknown'; why: string; uid?: string };

/** Everything a Machine's status is computed from. */
export interface StatusInput {
  machine: Machine;
  checkpoint: Checkpoint;
  /** Absent while nothing is to be said beyond "deleting". */
  report: Report | undefined;
  /** Why it is paused; undefined where that is unknown. */
  paused: string[] | undefined;
  /** Absent where it was not read, or where the Machine API knows none. */
  cluster: KubeObject | undefined;
  infrastructure: Observed;
  bootstrap: Observed;
  node: Observed<Node>;
  /** Whose the Machine's Node is; absent where this look has not judged it. */
  ownership?: Ownership;
  now: Instant;
}

/** The words of the peers, before what was the matter: who reads them knows what could not be decided. */
export const undecided = 'failed to check if Kubernetes Node deletion is allowed';

const uncounted = { kind: 'unknown', why: 'the control plane Machines were not counted' } as const;

/** How many Machines the control plane has. Throws Unavailable where they were not counted, or could not be. */
export function countedMembers({ controlPlaneMembers: members }: ClusterState): number {
  if (typeof members === 'number') return members;
  throw undecidable(undecided, members ?? uncounted);
}
