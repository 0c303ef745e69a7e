import type { Machine } from '../../machine/machine.ts';
import type { BesideOptions } from './options.ts';

const poolLabel = 'cluster.x-k8s.io/pool-name';

/** Which Machines an installation wants to hold. */
export type Selection = Pick<BesideOptions, 'selects' | 'controlPlanes' | 'machinePools'>;

/** Whether a Machine is one of those that get our hook. One that has it already is ours to release, whatever this says. */
export function isSelected(
  { labels, isControlPlane }: Pick<Machine, 'labels' | 'isControlPlane'>,
  { selects, controlPlanes, machinePools }: Selection,
): boolean {
  if (isControlPlane && !controlPlanes) return false;
  if (poolLabel in labels && !machinePools) return false;
  return selects(labels);
}
