import type { KubeObject } from '../../kubernetes/objects.ts';
import { deletedForMove, type Machine } from '../../machine/machine.ts';
import { isHookOfOurs } from '../beside/hook.ts';
import type { HookPoint } from '../dialect.ts';
import { recordAt } from '../fields.ts';
import type { GatedStep } from '../gate.ts';

/** A hook is any annotation whose key starts like this: a slash is not required, the value is never read. */
const prefixOf: Record<HookPoint, string> = {
  'pre-drain': 'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  'pre-terminate': 'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
};

/** All hooks of a point, phaseout's own among them, sorted. */
export const hooks = ({ annotations }: Pick<Machine, 'annotations'>, point: HookPoint): string[] =>
  Object.keys(annotations)
    .filter((key) => key.startsWith(prefixOf[point]))
    .toSorted();

/**
 * In the place of the API's own controller, phaseout drains by itself. A hook of its own, left from a time beside it, holds
 * nothing.
 */
export const hooksOfOthers = (machine: Machine, point: HookPoint): string[] =>
  hooks(machine, point).filter((name) => !isHookOfOurs(name, machine.annotations[name]));

export const hookMessage = (machine: Machine, point: HookPoint): string =>
  `Waiting for ${point} hooks to succeed (hooks: ${hooksOfOthers(machine, point).join(',')})`;

/** The value is for people; by custom it names the owner. */
export const hookOwner = ({ annotations }: Machine, _point: HookPoint, name: string): string | undefined =>
  annotations[name] || undefined;

/** The annotation that excludes a Machine from a step. */
export const exclusionOf: Readonly<Record<GatedStep, string>> = {
  drain: 'machine.cluster.x-k8s.io/exclude-node-draining',
  'volume-detach': 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
};

/** Presence counts: a value of `"false"` excludes too. */
export const isDrainExcluded = (machine: Machine): boolean => exclusionOf.drain in machine.annotations;

/** Presence counts: a value of `"false"` excludes too. */
export const isVolumeWaitExcluded = (machine: Machine): boolean =>
  exclusionOf['volume-detach'] in machine.annotations;

/** A deletion waits for us by this finalizer. */
export const finalizer = 'machine.cluster.x-k8s.io';

/** `clusterctl move` takes the finalizers off a Machine before it deletes it. Put back, they would have the server deleted. */
export const finalizersOf = ({ annotations }: Pick<Machine, 'annotations'>): readonly string[] =>
  deletedForMove in annotations ? [] : [finalizer];

const pausedAnnotation = 'cluster.x-k8s.io/paused';

/** By this OpenShift keeps the copies of a Machine alike that is in both of its APIs. */
const syncFinalizer = 'sync.machine.openshift.io/finalizer';

/**
 * Whether OpenShift's own Machine of this name rules the Machine. Its copy in Cluster API is paused then. OpenShift refuses
 * each change of a hook on the copy.
 */
export const isRuledByOpenShift = ({
  metadata: { annotations = {}, finalizers = [] },
}: KubeObject): boolean => pausedAnnotation in annotations && finalizers.includes(syncFinalizer);

/** The parts of the Paused condition's message; the annotation counts whatever its value is. */
export function pausedBy(machine: Machine, surroundings: { cluster: KubeObject | undefined }): string[] {
  const reasons: string[] = [];
  if (recordAt(surroundings.cluster, 'spec')['paused'] === true)
    reasons.push('Cluster spec.paused is set to true');
  if (pausedAnnotation in machine.annotations) {
    reasons.push(`Machine has the ${pausedAnnotation} annotation`);
  }
  return reasons;
}
