import * as z from 'zod';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { fromMetadata, metadataSchema, parsedMachine } from '../parse-machine.ts';

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

export const group = 'machine.openshift.io';
const apiVersion = `${group}/v1beta1`;

/** The API demands both fields; a hook that lacks one still holds. */
const hook = z.object({ name: z.string().default(''), owner: z.string().default('') });
const hookList = z
  .array(hook)
  .nullish()
  .transform((hooks) => hooks ?? []);

export type Hook = z.infer<typeof hook>;

/** Absent lists are empty; what is no list of hooks is an error, because a hook must never be overlooked. */
export const lifecycleHooks = z
  .object({ preDrain: hookList, preTerminate: hookList })
  .nullish()
  .transform((lists) => lists ?? { preDrain: [], preTerminate: [] });

const nodeRef = z.object({ name: z.string().optional(), uid: z.string().optional() });

/** What is read of a Machine. That its cluster label or providerSpec is missing is for the validation to say. */
const machineSchema = z.object({
  metadata: metadataSchema,
  spec: z
    .object({ providerID: z.string().nullish(), lifecycleHooks })
    .default({ lifecycleHooks: { preDrain: [], preTerminate: [] } }),
  status: z.object({ nodeRef: nodeRef.nullish() }).default({}),
});
