import * as z from 'zod';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { fromMetadata, metadataSchema, parsedMachine } from '../parse-machine.ts';

export const group = 'cluster.k8s.io';
const apiVersion = `${group}/v1alpha1`;
export const clusterLabel = `${group}/cluster-name`;

/** In this API's time nothing was pruned or validated: what a client wrote as null is still there. */
const text = z.string().nullish();

const machineSchema = z.object({
  metadata: metadataSchema,
  spec: z.object({ providerID: text, versions: z.object({ controlPlane: text }).nullish() }).nullish(),
  status: z.object({ nodeRef: z.object({ name: text, uid: text }).nullish() }).nullish(),
});

/** Throws a MachineUnreadable that names the field. */
export function read(raw: KubeObject): Machine {
  const schema = raw.apiVersion === apiVersion ? machineSchema : undefined;
  const { metadata, spec, status } = parsedMachine(schema, raw);
  const clusterName = metadata.labels[clusterLabel];
  const { providerID, versions } = spec ?? {};
  const { name: nodeName, uid: nodeUid } = status?.nodeRef ?? {};
  return {
    ...fromMetadata(metadata, raw),
    ...(clusterName ? { clusterName } : {}),
    ...(providerID ? { providerId: providerID } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(nodeUid ? { nodeUid } : {}),
    isControlPlane: Boolean(versions?.controlPlane),
    raw,
  };
}
