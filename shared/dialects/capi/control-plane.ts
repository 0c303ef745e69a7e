import { Unavailable } from '../../kubernetes/errors.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine, ObjectRef } from '../../machine/machine.ts';
import type { ClusterMachines, ControlPlaneMembers } from '../dialect.ts';
import { isTerminating, recordAt } from '../fields.ts';
import { reference, toObjectRef } from './object-ref.ts';
import { controlPlaneLabel } from './read.ts';
import { group } from './schemas.ts';

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
