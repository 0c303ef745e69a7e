import type { Machine } from '../../machine/machine.ts';
import type { ClusterMachines, ControlPlaneMembers } from '../dialect.ts';
import { textAt } from '../fields.ts';
import { type NodeDeletion, noNode } from '../gate.ts';
import { type ClusterState, countedMembers } from '../status-input.ts';
import { clusterLabel } from './read.ts';

const refused = (why: string): NodeDeletion => ({ allowed: false, why });

/**
 * Whether the Machine's Node may be deleted; the first rule that applies decides. A Machine without a cluster has no
 * control plane to count, and its Node stays too. Throws Unavailable before the control plane was counted.
 */
export function nodeDeletion(
  machine: Machine,
  surroundings: ClusterState,
  hasNode = machine.nodeName !== undefined,
): NodeDeletion {
  if (!hasNode) return refused(noNode);
  if (machine.clusterName === undefined)
    return refused('no control plane members: the Machine has no cluster');
  const members = countedMembers(surroundings);
  if (members === 0) return refused('no control plane members');
  if (members === 1 && machine.isControlPlane) return refused('only one control plane member');
  return { allowed: true };
}

/** Without a cluster there is no Node to look at. */
export const clusterMachines = ({ ref: { namespace }, clusterName = '' }: Machine): ClusterMachines => ({
  namespace,
  labelSelector: `${clusterLabel}=${clusterName}`,
});

/** Members are known by the version of their control plane. Those that are being deleted count as well. */
export function controlPlaneMembers({ clusterName }: Machine): ControlPlaneMembers | undefined {
  if (clusterName === undefined) return undefined;
  return {
    labelSelector: `${clusterLabel}=${clusterName}`,
    isMember: () => true,
    counts: (member) => textAt(member, 'spec', 'versions', 'controlPlane') !== undefined,
  };
}
