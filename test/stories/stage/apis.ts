import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import type { MachineApiName } from '../../../shared/dialects/registry.ts';

/** What stories know by themselves of a Machine API; the code under test is not asked. */
export interface StagedApi {
  name: MachineApiName;
  machines: string;
  finalizer: string;
  /** Who may not be touched, whatever else is so. */
  isPaused(machine: KubeObject): boolean;
}

const clusterApi: StagedApi = {
  name: 'capi',
  machines: 'machines.cluster.x-k8s.io',
  finalizer: 'machine.cluster.x-k8s.io',
  isPaused: ({ metadata }) => Object.keys(metadata.annotations ?? {}).includes('cluster.x-k8s.io/paused'),
};

const openShift: StagedApi = {
  name: 'openshift',
  machines: 'machines.machine.openshift.io',
  finalizer: 'machine.machine.openshift.io',
  isPaused: (machine) =>
    ['ClusterAPI', 'Migrating'].includes(String(recordAt(machine, 'status')['authoritativeAPI'])),
};

const originalApi: StagedApi = {
  name: 'v1alpha1',
  machines: 'machines.cluster.k8s.io',
  finalizer: 'machine.cluster.k8s.io',
  isPaused: () => false,
};

const apis: readonly StagedApi[] = [clusterApi, openShift, originalApi];

export const isOpenShift = ({ apiVersion }: KubeObject): boolean =>
  apiVersion?.startsWith('machine.openshift.io/') === true;

export const isOriginal = ({ apiVersion }: KubeObject): boolean =>
  apiVersion?.startsWith('cluster.k8s.io/') === true;

/** Those whose Machines the cluster serves. */
export const apisOf = (cluster: Cluster): StagedApi[] => {
  const served = new Set(cluster.resources());
  return apis.filter(({ machines }) => served.has(machines));
};

export const machinesIn = (cluster: Cluster): KubeObject[] =>
  apisOf(cluster).flatMap(({ machines }) => cluster.list(machines));

export const hooksOf = (machine: KubeObject, point: 'preDrain' | 'preTerminate'): string[] => {
  const hooks = recordAt(machine, 'spec', 'lifecycleHooks')[point];
  return Array.isArray(hooks) ? hooks.map((hook: unknown) => String(recordAt(hook)['name'])) : [];
};

export const isClusterApi = ({ apiVersion }: KubeObject): boolean =>
  apiVersion?.startsWith('cluster.x-k8s.io/') === true;
