import * as z from 'zod';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { MachineUnreadable } from '../dialect.ts';

export const group = 'cluster.k8s.io';
const apiVersion = `${group}/v1alpha1`;
export const clusterLabel = `${group}/cluster-name`;

const name = z.string().min(1);
const texts = z.record(z.string(), z.string()).default({});

/** In this API's time nothing was pruned or validated: what a client wrote as null is still there. */
const text = z.string().nullish();

const schema = z.object({
  metadata: z.object({
    name,
    namespace: name,
    uid: name,
    resourceVersion: z.string().default(''),
    generation: z.int().default(0),
    labels: texts,
    annotations: texts,
    finalizers: z.array(z.string()).default([]),
    deletionTimestamp: z.iso.datetime().optional(),
  }),
  spec: z.object({ providerID: text, versions: z.object({ controlPlane: text }).nullish() }).nullish(),
  status: z.object({ nodeRef: z.object({ name: text, uid: text }).nullish() }).nullish(),
});

/** Throws a MachineUnreadable that names the field. */
export function read(raw: KubeObject): Machine {
  if (raw.apiVersion !== apiVersion) {
    throw unreadable(raw, `apiVersion: ${JSON.stringify(raw.apiVersion ?? '')} is not supported`);
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return toMachine(parsed.data, raw);
  const issue = parsed.error.issues[0];
  throw unreadable(raw, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}

function unreadable({ metadata: { namespace, name: named } }: KubeObject, why: string): MachineUnreadable {
  return new MachineUnreadable(`Machine ${namespace ?? ''}/${named} cannot be read: ${why}`);
}

function toMachine({ metadata, spec, status }: z.infer<typeof schema>, raw: KubeObject): Machine {
  const { namespace, name: named, uid, deletionTimestamp, ...others } = metadata;
  const clusterName = metadata.labels[clusterLabel];
  const { providerID, versions } = spec ?? {};
  const { name: nodeName, uid: nodeUid } = status?.nodeRef ?? {};
  return {
    ref: { apiVersion, namespace, name: named, uid },
    ...others,
    ...(deletionTimestamp ? { deletionTimestamp: Date.parse(deletionTimestamp) } : {}),
    ...(clusterName ? { clusterName } : {}),
    ...(providerID ? { providerId: providerID } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(nodeUid ? { nodeUid } : {}),
    isControlPlane: Boolean(versions?.controlPlane),
    raw,
  };
}
