import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { fromMetadata, parsedMachine } from '../parse-machine.ts';
import { apiVersion, machineSchema } from './schemas.ts';

const roleLabel = 'machine.openshift.io/cluster-api-machine-role';

/** Whether these are the labels of a control plane Machine. */
export const isMaster = (labels: Readonly<Record<string, string>>): boolean => labels[roleLabel] === 'master';

/** Throws a MachineUnreadable that names the field. */
export function read(raw: KubeObject): Machine {
  const schema = raw.apiVersion === apiVersion ? machineSchema : undefined;
  const { metadata, spec, status } = parsedMachine(schema, raw);
  const { name: nodeName, uid: nodeUid } = status.nodeRef ?? {};
  return {
    ...fromMetadata(metadata, raw),
    ...(spec.providerID ? { providerId: spec.providerID } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(nodeUid ? { nodeUid } : {}),
    isControlPlane: isMaster(metadata.labels),
    raw,
  };
}
