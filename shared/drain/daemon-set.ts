import type { Pod } from '../kubernetes/objects.ts';
import { controllerOf } from '../kubernetes/pod.ts';

/** `namespace/name` of the DaemonSet that controls the Pod. Only the owner's kind counts, not its group. */
export function daemonSetOf(pod: Pod): string | undefined {
  const owner = controllerOf(pod);
  return owner?.kind === 'DaemonSet' ? `${pod.metadata.namespace ?? ''}/${owner.name}` : undefined;
}
