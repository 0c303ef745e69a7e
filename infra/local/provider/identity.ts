import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { at, textAt } from '../kubernetes/server/json.ts';

export interface MachineIdentity {
  apiVersion: string;
  namespace: string;
  name: string;
  uid: string;
}

/** Throws Unavailable for a Machine without a UID. */
export function identityOf(machine: KubeObject): MachineIdentity {
  const { namespace = '', name } = machine.metadata;
  return { apiVersion: machine.apiVersion ?? '', namespace, name, uid: uidOf(machine) };
}

/** Throws Unavailable where there is none. */
export function uidOf({ metadata }: KubeObject): string {
  if (metadata.uid) return metadata.uid;
  throw new Unavailable(`Machine ${metadata.namespace ?? ''}/${metadata.name} has no metadata.uid`);
}

/** Ends in the UID: v1alpha1 compares the part before the first colon and the one after the last slash. */
export const newProviderId = (machine: KubeObject): string => `local:///${uidOf(machine)}`;

export const providerIdIn = (object: KubeObject): string | undefined =>
  textAt(object, 'spec', 'providerID') || undefined;

/** Whether the Machine itself says that it has a server: by its providerID, or by its Node. */
export const tellsOfServer = (machine: KubeObject): boolean =>
  providerIdIn(machine) !== undefined || (at(machine, 'status', 'nodeRef') ?? undefined) !== undefined;
