import type { Pod } from '../kubernetes/objects.ts';
import { controllerOf } from '../kubernetes/pod.ts';

/** Whose DaemonSets count: Cluster API asks for the owner's kind alone, OpenShift for its API version too. */
export type DaemonSetOwners = 'of-any-group' | 'of-apps/v1';

/** `namespace/name` of the DaemonSet that controls the Pod. */
export function daemonSetOf(pod: Pod, owners: DaemonSetOwners): string | undefined {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'DaemonSet') return undefined;
  if (owners === 'of-apps/v1' && owner.apiVersion !== 'apps/v1') return undefined;
  return `${pod.metadata.namespace ?? ''}/${owner.name}`;
}
