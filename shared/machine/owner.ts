import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject, OwnerReference } from '../kubernetes/objects.ts';
import type { Machine, ObjectRef } from './machine.ts';

/**
 * Why the object is none to be deleted with the Machine; undefined where it is its own. A copied Machine names the server of
 * a Machine that lives. So does one that was restored under another name or namespace.
 */
export function controlledByAnother(
  machine: Machine,
  { kind, name, namespace }: ObjectRef,
  object: KubeObject | undefined,
): string | undefined {
  if (object === undefined) return undefined;
  if (namespace !== machine.ref.namespace)
    return `${kind} ${name} is in namespace ${namespace}, where no Machine of ${machine.ref.namespace} can own it`;
  const controller = object.metadata.ownerReferences?.find((owner) => owner.controller === true);
  if (controller === undefined || givesWay(controller)) return undefined;
  if (!isMachine(controller)) return `${kind} ${name} is controlled by ${controller.kind} ${controller.name}`;
  return controller.name === machine.ref.name
    ? undefined
    : `${kind} ${name} is controlled by another Machine, ${controller.name}`;
}

/** That this is why an object could not be looked at. */
export const isSomebodyElses = (why: string): boolean => / is (controlled by|in namespace) /.test(why);

/**
 * The object, where it is the Machine's own. The peer fails to take one of somebody else over, and so takes it neither
 * for there nor for gone. Throws Unavailable.
 */
export function ownOf(
  machine: Machine,
  ref: ObjectRef,
  object: KubeObject | undefined,
): KubeObject | undefined {
  const why = controlledByAnother(machine, ref, object);
  if (why !== undefined) throw new Unavailable(why);
  return object;
}

/** Controllers that made the object together with its Machine: the peer puts the Machine in their place. */
const givesWay = ({ apiVersion, kind }: OwnerReference): boolean =>
  apiVersion.startsWith('controlplane.cluster.x-k8s.io/') ||
  (kind === 'MachineSet' && apiVersion.startsWith('cluster.x-k8s.io/'));

/** Of Cluster API, in whatever version; told apart by name, as a restored Machine has another UID. */
const isMachine = ({ apiVersion, kind }: OwnerReference): boolean =>
  kind === 'Machine' && apiVersion.startsWith('cluster.x-k8s.io/');
