import { machineSchema } from './schemas.ts';
import type * as z from 'zod';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { MachineUnreadable } from '../dialect.ts';

const roleLabel = 'machine.openshift.io/cluster-api-machine-role';

/** Throws a MachineUnreadable that names the field. */
export function read(raw: KubeObject): Machine {
  const parsed = machineSchema.safeParse(raw);
  if (parsed.success) return toMachine(parsed.data, raw);
  const issue = parsed.error.issues[0];
  const { namespace, name } = raw.metadata;
  const why = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`;
  throw new MachineUnreadable(`Machine ${namespace ?? ''}/${name} cannot be read: ${why}`);
}

function toMachine(
  { apiVersion, metadata, spec, status }: z.infer<typeof machineSchema>,
  raw: KubeObject,
): Machine {
  const { namespace, name, uid, deletionTimestamp } = metadata;
  const { name: nodeName, uid: nodeUid } = status.nodeRef ?? {};
  return {
    ref: { apiVersion, namespace, name, uid },
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation,
    labels: metadata.labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
    ...(deletionTimestamp ? { deletionTimestamp: Date.parse(deletionTimestamp) } : {}),
    ...(spec.providerID ? { providerId: spec.providerID } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(nodeUid ? { nodeUid } : {}),
    isControlPlane: metadata.labels[roleLabel] === 'master',
    raw,
  };
}
