import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { FaultSetting } from '../../faults/fault.ts';
import { clusterNameOf, clusterResource } from '../blockers/case.ts';
import { aMachineOf, type Target } from './deed.ts';

export interface OfCluster extends Target {
  resource: string;
  cluster: KubeObject;
}

/** The Cluster of one of the Machines, of those that fit. */
export function aClusterOf(
  setting: FaultSetting,
  fits: (target: Target) => boolean = () => true,
): OfCluster | undefined {
  const find = ({ plan, machine }: Target): KubeObject | undefined =>
    plan.api === 'openshift'
      ? undefined
      : setting.world.management.get(clusterResource(plan), plan.namespace, clusterNameOf(plan, machine));
  const target = aMachineOf(setting, (one) => fits(one) && find(one) !== undefined);
  const cluster = target && find(target);
  if (target === undefined || cluster === undefined) return undefined;
  return { ...target, cluster, resource: clusterResource(target.plan) };
}
