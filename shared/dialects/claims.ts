import { groupVersionOf, type KubeObject } from '../kubernetes/objects.ts';
import { deletedForMove } from '../machine/machine.ts';
import { recordAt, textAt } from './fields.ts';

/** What a Machine says of its Node. */
export interface Claim {
  providerId?: string | undefined;
  /** UID that its nodeRef names. */
  nodeUid?: string | undefined;
}

/** The same of another Machine, by its `namespace/name`. */
export interface OtherClaim extends Claim {
  machine: string;
}

/** What the other Machines of a Cluster say. `unread`: why some of them may be missing. */
export interface OtherClaims {
  claims: readonly OtherClaim[];
  unread?: string;
}

/**
 * What the other Machines in a list say, living or being deleted. One of another API may be the copy of this one. The server
 * of one that was moved is looked after in another cluster.
 */
export const claimsOfOthers = (own: KubeObject, machines: readonly KubeObject[]): OtherClaim[] =>
  machines.filter((machine) => isOther(own, machine)).map(claimOf);

const isOther = (own: KubeObject, { apiVersion, metadata }: KubeObject): boolean =>
  metadata.uid !== own.metadata.uid &&
  (apiVersion === undefined || groupVersionOf({ apiVersion }).group === groupVersionOf(own).group) &&
  !(deletedForMove in (metadata.annotations ?? {}));

function claimOf(machine: KubeObject): OtherClaim {
  const { namespace = '', name } = machine.metadata;
  return {
    machine: `${namespace}/${name}`,
    providerId: textAt(machine, 'spec', 'providerID'),
    nodeUid: textAt(machine, 'status', 'nodeRef', 'uid'),
  };
}

/** Only what a Machine's claim and a count of the control plane take. A Cluster may have thousands of Machines. */
export function partOf({ apiVersion, kind, metadata, spec, status }: KubeObject): KubeObject {
  const { managedFields: _, ...kept } = metadata;
  const { providerID, versions } = recordAt(spec);
  const { nodeRef } = recordAt(status);
  return {
    ...(apiVersion && { apiVersion }),
    ...(kind && { kind }),
    metadata: kept,
    spec: { providerID, versions },
    status: { nodeRef },
  };
}
