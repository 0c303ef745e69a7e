import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { recordAt } from '../fields.ts';

const pausedAnnotation = 'cluster.x-k8s.io/paused';

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
