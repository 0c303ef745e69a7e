import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import { clusterApiDefinitions } from '../kubernetes/crds/cluster-api.ts';
import { deletionHooks, drainPolicies, machineDrainRules } from '../kubernetes/crds/installed.ts';
import { machineSets } from '../kubernetes/crds/machine-sets.ts';
import { openShiftDefinitions } from '../kubernetes/crds/openshift.ts';
import { v1alpha1Definitions } from '../kubernetes/crds/v1alpha1.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { definitionKind } from './made-up-kinds.ts';

/** The groups of the Machine APIs that are known here. */
export const machineGroups = ['cluster.x-k8s.io', 'machine.openshift.io', 'cluster.k8s.io'] as const;

const drainRuleKind = 'MachineDrainRule';

/**
 * Definitions of the Machine APIs that the objects belong to. What is served decides what is looked for: a Machine API
 * is there because something of it is. Cluster API is when nothing is, so that its Machines can be made afterwards.
 * MachineDrainRules need no more of it than their own kind: OpenShift may have them without its Machines. DeletionHooks and
 * DrainPolicies are phaseout's own, and always there.
 */
export function definitionsOfApis(objects: readonly KubeObject[]): KubeObject[] {
  const present = objects.filter(({ kind }) => kind !== definitionKind);
  const uses = (group: string): boolean => present.some((object) => groupVersionOf(object).group === group);
  const others = [
    ...(uses('machine.openshift.io') ? openShiftDefinitions : []),
    ...(uses('cluster.k8s.io') ? v1alpha1Definitions : []),
  ];
  const own = [deletionHooks(), drainPolicies()];
  const ofClusterApi = present.filter((object) => groupVersionOf(object).group === 'cluster.x-k8s.io');
  const hasMoreThanRules = ofClusterApi.some(({ kind }) => kind !== drainRuleKind);
  if (hasMoreThanRules || others.length === 0)
    return [...clusterApiDefinitions(), machineSets, ...others, ...own];
  return [...(ofClusterApi.length > 0 ? [machineDrainRules()] : []), ...others, ...own];
}
