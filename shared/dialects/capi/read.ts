import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { fromMetadata, parsedMachine } from '../parse-machine.ts';
import { toObjectRef } from './object-ref.ts';
import { group, schemas } from './schemas.ts';

/** A Machine of the control plane has it, whatever its value. */
export const controlPlaneLabel = `${group}/control-plane`;

/** Reads a Machine of either version. Throws a MachineUnreadable that names the field. */
export function read(raw: KubeObject): Machine {
  const { metadata, spec, status } = parsedMachine(schemas.get(raw.apiVersion ?? ''), raw);
  const { configRef } = spec.bootstrap;
  const { name: nodeName, uid: nodeUid } = status.nodeRef ?? {};
  return {
    ...fromMetadata(metadata, raw),
    clusterName: spec.clusterName,
    ...(spec.providerID ? { providerId: spec.providerID } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(nodeUid ? { nodeUid } : {}),
    isControlPlane: controlPlaneLabel in metadata.labels,
    ...spec.timeouts,
    infrastructure: toObjectRef(spec.infrastructureRef, metadata.namespace),
    ...(configRef === undefined ? {} : { bootstrap: toObjectRef(configRef, metadata.namespace) }),
    raw,
  };
}
