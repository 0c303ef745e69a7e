import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { recordAt } from '../fields.ts';

const pausedAnnotation = 'cluster.x-k8s.io/paused';

/** By this OpenShift keeps the copies of a Machine alike that is in both of its APIs. */
const syncFinalizer = 'sync.machine.openshift.io/finalizer';

/**
 * Whether OpenShift's own Machine of this name rules the Machine: its copy in Cluster API is paused then, and OpenShift refuses
 * each change of a hook on it.
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
