import type { KubeObject } from '../../../../infra/local/kubernetes/cluster.ts';
import { textAt } from '../../../../shared/dialects/fields.ts';
import { isClusterApi } from '../../../stories/stage/apis.ts';
import { infrastructureRef, isDeleting, referredBy } from './machine.ts';
import type { View } from './past.ts';

/** Cluster API: why a Machine's Node is none to be prepared for its end any more, its cluster left aside. */
export function whyTooLate(view: View, machine: KubeObject): string | undefined {
  if (!isClusterApi(machine)) return undefined;
  if (textAt(machine, 'status', 'deletion', 'waitForPreTerminateHookStartTime') !== undefined)
    return 'its pre-terminate hooks have been waited for';
  const infrastructure = referredBy(view, machine, infrastructureRef(machine));
  if (infrastructure === undefined) return 'its infrastructure is gone';
  return isDeleting(infrastructure) ? 'its infrastructure is being deleted' : undefined;
}
