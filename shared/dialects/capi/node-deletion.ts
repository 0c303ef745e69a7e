import type { Machine } from '../../machine/machine.ts';
import { countedMembers, undecided } from '../control-plane-count.ts';
import { isTerminating, recordAt } from '../fields.ts';
import type { NodeDeletion } from '../gate.ts';
import { noNode } from '../no-node.ts';
import type { ClusterState } from '../status-input.ts';
import { undecidable } from '../unknown.ts';
import { controlPlaneOf } from './control-plane.ts';

const refused = (why: string): NodeDeletion => ({ allowed: false, why });

/**
 * Whether the Machine's Node may be drained and deleted. The first rule that applies decides. Throws Unavailable
 * while the control plane could not be looked at: a Node is not touched on a guess.
 */
export function nodeDeletion(
  machine: Machine,
  surroundings: ClusterState,
  hasNode = machine.nodeName !== undefined,
): NodeDeletion {
  const { cluster } = surroundings;
  if (cluster !== undefined && isTerminating(cluster)) return refused('cluster is being deleted');
  if (!hasNode) return refused(noNode);
  return byControlPlane(surroundings) ?? byMembers(surroundings);
}

function byControlPlane({ cluster, controlPlane }: ClusterState): NodeDeletion | undefined {
  if (cluster === undefined || controlPlaneOf(cluster, cluster.metadata.namespace ?? '') === undefined)
    return undefined;
  if (controlPlane.kind === 'unseen') throw undecidable(undecided, unseen);
  if (controlPlane.kind === 'unknown') throw undecidable(undecided, controlPlane);
  // Without its object the control plane is still known by its Machines.
  if (controlPlane.kind === 'absent') return undefined;
  if (isTerminating(controlPlane.object)) return refused('control plane is being deleted');
  const status = recordAt(controlPlane.object, 'status');
  // The members of an external control plane are no Machines: there is nothing to count.
  return status['externalManagedControlPlane'] === true ? { allowed: true } : undefined;
}

const byMembers = (surroundings: ClusterState): NodeDeletion =>
  countedMembers(surroundings) === 0 ? refused('no control plane members') : { allowed: true };

const unseen = { kind: 'unknown', why: 'the control plane was not looked at' } as const;
