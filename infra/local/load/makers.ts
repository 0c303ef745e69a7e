import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { machineGroups } from './served-apis.ts';

/** What makes Machines, by kind: the groups that have it. A Cluster makes them by its topology. */
const makers: Readonly<Record<string, readonly string[]>> = {
  MachineDeployment: ['cluster.x-k8s.io', 'cluster.k8s.io'],
  MachineSet: machineGroups,
  MachinePool: ['cluster.x-k8s.io'],
  KubeadmControlPlane: ['controlplane.cluster.x-k8s.io'],
  ControlPlaneMachineSet: ['machine.openshift.io'],
};

/** Whether it makes Machines in a real cluster. */
export const isMaker = (object: KubeObject): boolean =>
  makers[object.kind ?? '']?.includes(groupVersionOf(object).group) === true;
