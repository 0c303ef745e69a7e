import type { WorkloadRef } from '../../kubernetes/client.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine, ObjectRef } from '../../machine/machine.ts';
import type { ClusterMachines, ControlPlaneMembers } from '../dialect.ts';
import { isTerminating, recordAt } from '../fields.ts';
import { type NodeDeletion, noNode, undecidable } from '../gate.ts';
import { type ClusterState, countedMembers, undecided } from '../status-input.ts';
import { controlPlaneLabel, group, reference, toObjectRef } from './read.ts';

/**
 * The Cluster's control plane object, if it has one; that of a Cluster which is being deleted decides nothing. Throws
 * Unavailable when the reference makes no sense.
 */
export function controlPlaneOf(cluster: KubeObject, namespace: string): ObjectRef | undefined {
  if (isTerminating(cluster)) return undefined;
  const ref = recordAt(cluster, 'spec', 'controlPlaneRef');
  if (Object.keys(ref).length === 0) return undefined;
  const parsed = reference.safeParse(ref);
  if (parsed.success) return toObjectRef(parsed.data, namespace);
  const issue = parsed.error.issues[0];
  const field = ['spec', 'controlPlaneRef', ...(issue?.path ?? [])].join('.');
  throw new Unavailable(
    `Cluster ${namespace}/${cluster.metadata.name}: ${field}: ${issue?.message ?? 'invalid'}`,
  );
}

/** The Machines of a Cluster are in its namespace. */
export const clusterMachines = ({ ref: { namespace }, clusterName = '' }: Machine): ClusterMachines => ({
  namespace,
  labelSelector: `${group}/cluster-name=${clusterName}`,
});

/** The label's value does not matter: being there makes a Machine a member, until it is being deleted. */
export function controlPlaneMembers(
  { clusterName = '' }: Machine,
  cluster: KubeObject | undefined,
): ControlPlaneMembers | undefined {
  if (cluster !== undefined && isTerminating(cluster)) return undefined;
  return {
    labelSelector: `${group}/cluster-name=${clusterName},${controlPlaneLabel}`,
    isMember: ({ metadata: { labels = {} } }) => controlPlaneLabel in labels,
    counts: (member) => !isTerminating(member),
  };
}

/** The Cluster whose absence leaves a Machine without judgement. */
export function clusterNameOf({ ref, clusterName }: Machine): string {
  if (clusterName === undefined)
    throw new Unavailable(`Machine ${ref.namespace}/${ref.name} names no Cluster`);
  return clusterName;
}

export const workload = ({ ref, clusterName }: Machine): WorkloadRef | undefined =>
  clusterName === undefined ? undefined : { kind: 'cluster', namespace: ref.namespace, clusterName };

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
