import type { Report } from '../../machine/report.ts';
import { find } from '../conditions.ts';
import type { Place, StatusInput } from '../status-input.ts';
import { conditionsSaid } from './all-conditions.ts';
import { nodesUnknown } from './cluster-conditions.ts';

/** What is said of each, in v1beta2 and in v1beta1. */
const typesOf: Record<Place, readonly string[]> = {
  infrastructure: ['InfrastructureReady'],
  bootstrap: ['BootstrapConfigReady', 'BootstrapReady'],
  node: ['NodeHealthy'],
};

const places: readonly Place[] = ['infrastructure', 'bootstrap', 'node'];
const longWaits: readonly string[] = ['WaitingForPreDrainHook', 'WaitingForPreTerminateHook'];
/** Of a Node that could not be seen. */
const unseenNode: readonly string[] = ['InspectionFailed', 'ConnectionDown'];
/** Of anything that could not be read: to try that at each look of a drain might take the time of a request each. */
const unread = 'InternalError';

/**
 * What a status with this report should know, although the step did not need it: what was never said; what could not be
 * seen before; a Node that cannot be seen, as the Cluster says, so that statuses do not alternate; and everything when a
 * wait for hooks begins, which reads nothing and may last.
 */
export function worthSeeing(
  { machine, cluster, now }: Pick<StatusInput, 'machine' | 'cluster' | 'now'>,
  { reason }: Report,
): Place[] {
  const said = conditionsSaid(machine);
  const isLong = longWaits.includes(reason);
  if (isLong && find(said, 'Deleting')?.reason !== reason) return [...places];
  const isUnseen = (why: string | undefined): boolean =>
    unseenNode.some((each) => each === why) || (isLong && why === unread);
  return places.filter((place) => {
    if (place === 'node' && nodesUnknown(cluster, now) !== undefined) return true;
    const known = said.filter(({ type }) => typesOf[place].includes(type));
    return known.length === 0 || known.some((condition) => isUnseen(condition.reason));
  });
}
