import type { WorkloadRef } from '../../kubernetes/client.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import type { Machine } from '../../machine/machine.ts';

/** The Cluster whose absence leaves a Machine without judgement. */
export function clusterNameOf({ ref, clusterName }: Machine): string {
  if (clusterName === undefined)
    throw new Unavailable(`Machine ${ref.namespace}/${ref.name} names no Cluster`);
  return clusterName;
}

export const workload = ({ ref, clusterName }: Machine): WorkloadRef | undefined =>
  clusterName === undefined ? undefined : { kind: 'cluster', namespace: ref.namespace, clusterName };
