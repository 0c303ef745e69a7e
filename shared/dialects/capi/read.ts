import { toObjectRef } from './reference.ts';
import { group, type ParsedMachine, schemas } from './schemas.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { MachineUnreadable } from '../dialect.ts';

export const controlPlaneLabel = `${group}/control-plane`;

/** Reads a Machine of either version. Throws a MachineUnreadable that names the field. */
export function read(raw: KubeObject): Machine {
  const apiVersion = raw.apiVersion ?? '';
  const schema = schemas.get(apiVersion);
  if (schema === undefined)
    throw unreadable(raw, `apiVersion: ${JSON.stringify(apiVersion)} is not supported`);
  const parsed = schema.safeParse(raw);
  if (parsed.success) return toMachine(parsed.data, apiVersion, raw);
  const issue = parsed.error.issues[0];
  throw unreadable(raw, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}

function unreadable(raw: KubeObject, why: string): MachineUnreadable {
  const { namespace, name } = raw.metadata;
  return new MachineUnreadable(`Machine ${namespace ?? ''}/${name} cannot be read: ${why}`);
}

function toMachine({ metadata, spec, status }: ParsedMachine, apiVersion: string, raw: KubeObject): Machine {
  const { namespace, name, uid, deletionTimestamp } = metadata;
  const { configRef } = spec.bootstrap;
  const nodeName = status.nodeRef?.name;
  return {
    ref: { apiVersion, namespace, name, uid },
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation,
    labels: metadata.labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
    ...(deletionTimestamp ? { deletionTimestamp: Date.parse(deletionTimestamp) } : {}),
    clusterName: spec.clusterName,
    ...(spec.providerID ? { providerId: spec.providerID } : {}),
    ...(nodeName ? { nodeName } : {}),
    isControlPlane: controlPlaneLabel in metadata.labels,
    ...spec.timeouts,
    infrastructure: toObjectRef(spec.infrastructureRef, namespace),
    ...(configRef === undefined ? {} : { bootstrap: toObjectRef(configRef, namespace) }),
    raw,
  };
}
