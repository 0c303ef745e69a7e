import type { KubeObject, OwnerReference } from './kubernetes/objects.ts';
import { CouldNotLook } from './kubernetes/port.ts';
import type { Machine, ObjectRef } from './machine/machine.ts';

/**
 * Why the object is none to be deleted with the Machine; undefined where it is its own. A copy of a Machine, or one that
 * was restored under another name, names the server of a Machine that lives.
 */
export function controlledByAnother(
  machine: Machine,
  { kind, name }: ObjectRef,
  object: KubeObject | undefined,
): string | undefined {
  const other = object?.metadata.ownerReferences?.find(
    (owner) => owner.controller === true && isMachine(owner) && owner.name !== machine.ref.name,
  );
  return other && `${kind} ${name} is controlled by another Machine, ${other.name}`;
}

/**
 * The object, where it is the Machine's own. The peer fails to take one of another Machine over, and so takes it neither
 * for there nor for gone. Throws CouldNotLook.
 */
export function ownOf(
  machine: Machine,
  ref: ObjectRef,
  object: KubeObject | undefined,
): KubeObject | undefined {
  const why = controlledByAnother(machine, ref, object);
  if (why !== undefined) throw new CouldNotLook(why);
  return object;
}

/** Of Cluster API, in whatever version; told apart by name, as a restored Machine has another UID. */
const isMachine = ({ apiVersion, kind }: OwnerReference): boolean =>
  kind === 'Machine' && apiVersion.startsWith('cluster.x-k8s.io/');
