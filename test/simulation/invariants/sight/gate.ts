import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { isClusterApi } from '../../../stories/stage/apis.ts';
import { deletionTimeOf } from '../../../stories/stage/told-machine.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import { isLimitOver } from './limits.ts';
import {
  infrastructureRef,
  isDeleting,
  isDrainExcluded,
  isForeign,
  isNodeForbidden,
  referredBy,
} from './machine.ts';
import type { View } from './past.ts';

/** Cluster API: why a Machine's Node is none to be prepared for its end any more, its cluster left aside. */
export function whyTooLate(view: View, machine: KubeObject): string | undefined {
  if (!isClusterApi(machine)) return undefined;
  if (deletionTimeOf(machine, 'waitForPreTerminateHookStartTime') !== undefined)
    return 'its pre-terminate hooks have been waited for';
  const infrastructure = referredBy(view, machine, infrastructureRef(machine));
  if (infrastructure === undefined) return 'its infrastructure is gone';
  return isDeleting(infrastructure) ? 'its infrastructure is being deleted' : undefined;
}

/** Cluster API: whether the Node is not drained now, with whatever Pods. */
export const isDrainShut = (view: View, machine: KubeObject, presents: readonly number[]): boolean =>
  isDrainExcluded(machine) ||
  isNodeForbidden(view, machine) ||
  whyTooLate(view, machine) !== undefined ||
  isLimitOver(machine, 'drain', presents);

/** Another server's Node has taken the name: its Pods are no concern of this Machine. */
export function isNodeOfAnother(view: View, machine: KubeObject, { host, node = '' }: MachinePlan): boolean {
  const found = view.get(host, 'nodes', undefined, node);
  return found !== undefined && isForeign(machine, found);
}
