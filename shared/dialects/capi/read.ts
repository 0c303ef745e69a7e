import * as z from 'zod';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine, ObjectRef } from '../../machine/machine.ts';
import { parseGoDuration, wholeSeconds } from '../../time/duration.ts';
import { fromMetadata, metadataSchema, parsedMachine } from '../parse-machine.ts';

export const group = 'cluster.x-k8s.io';

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

/** A reference without a namespace means the namespace of the object that carries it. */
export function toObjectRef(ref: Reference, namespace: string): ObjectRef {
  const place = { kind: ref.kind, namespace: ref.namespace || namespace, name: ref.name };
  if (ref.apiGroup !== undefined) return { group: ref.apiGroup, ...place };
  const [version = '', itsGroup = ''] = (ref.apiVersion ?? '').split('/').toReversed();
  return { group: itsGroup, version, ...place };
}

const name = z.string().min(1);

/** A reference of either version: v1beta1 carries an apiVersion and perhaps a namespace, v1beta2 an apiGroup. */
export const reference = z
  .object({
    apiGroup: name.optional(),
    apiVersion: name.optional(),
    kind: name,
    name,
    namespace: z.string().optional(),
  })
  .refine((ref) => ref.apiGroup !== undefined || ref.apiVersion !== undefined, {
    error: 'neither apiGroup nor apiVersion is set',
  });

type Reference = z.infer<typeof reference>;

/** Only v1beta1 has a UID there. */
const nodeRef = z.object({ name: z.string().optional(), uid: z.string().optional() });
const status = z.object({ nodeRef: nodeRef.optional() }).default({});

const shared = {
  clusterName: z.string().min(1),
  providerID: z.string().optional(),
  infrastructureRef: reference,
  bootstrap: z.object({ configRef: reference.optional() }).default({}),
};

type Seconds = number | undefined;

/** Absent stays absent: no limit is not the same as a limit of nothing. */
const timeouts = (drain: Seconds, volumeDetach: Seconds, nodeDeletion: Seconds) => ({
  ...(drain === undefined ? {} : { drainTimeoutSeconds: drain }),
  ...(volumeDetach === undefined ? {} : { volumeDetachTimeoutSeconds: volumeDetach }),
  ...(nodeDeletion === undefined ? {} : { nodeDeletionTimeoutSeconds: nodeDeletion }),
});

const seconds = z.int().optional();

const deletion = z
  .object({
    nodeDrainTimeoutSeconds: seconds,
    nodeVolumeDetachTimeoutSeconds: seconds,
    nodeDeletionTimeoutSeconds: seconds,
  })
  .default({});

const v1Beta2Spec = z.object({ ...shared, deletion }).transform((spec) => ({
  ...spec,
  timeouts: timeouts(
    spec.deletion.nodeDrainTimeoutSeconds,
    spec.deletion.nodeVolumeDetachTimeoutSeconds,
    spec.deletion.nodeDeletionTimeoutSeconds,
  ),
}));

const duration = z
  .string()
  .transform((text, context) => {
    const nanoseconds = parseGoDuration(text);
    if (nanoseconds !== undefined) return wholeSeconds(nanoseconds);
    context.addIssue(`${JSON.stringify(text)} is not a duration`);
    return z.NEVER;
  })
  .optional();

const v1Beta1Spec = z
  .object({
    ...shared,
    nodeDrainTimeout: duration,
    nodeVolumeDetachTimeout: duration,
    nodeDeletionTimeout: duration,
  })
  .transform((spec) => ({
    ...spec,
    timeouts: timeouts(spec.nodeDrainTimeout, spec.nodeVolumeDetachTimeout, spec.nodeDeletionTimeout),
  }));

const v1Beta2 = z.object({ metadata: metadataSchema, spec: v1Beta2Spec, status });
const v1Beta1 = z.object({ metadata: metadataSchema, spec: v1Beta1Spec, status });

/** What is read of a Machine, by the apiVersion it was sent in; both give the same shape. */
const schemas = new Map<string, typeof v1Beta2 | typeof v1Beta1>([
  [`${group}/v1beta2`, v1Beta2],
  [`${group}/v1beta1`, v1Beta1],
]);
