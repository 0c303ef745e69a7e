import type {
  Blueprint,
  ClusterBlueprint,
  MachineBlueprint,
  NodeBlueprint,
  PodBlueprint,
  ReferredBlueprint,
  SetBlueprint,
} from '../blueprint.ts';

/** A blueprint that is being drawn. */
export type Draft = { [Part in keyof Blueprint]: Blueprint[Part][number][] };

export const emptyDraft = (): Draft => ({
  clusters: [],
  machines: [],
  nodes: [],
  pods: [],
  sets: [],
  budgets: [],
  volumes: [],
  rules: [],
});

/** What a draw of Machines depends on beside chance. */
export interface Setting {
  /** The only version of Cluster API that is served; undefined for all. */
  version: 'v1beta1' | undefined;
  /** Every deletion begins before this. */
  latest: number;
  /** The longest that a step of a process usually takes. */
  latencyMilliseconds: number;
  /** Machines of this API there are; by chance if it is not given. */
  first?: MachineBlueprint['api'];
}

/** Made for Machines of one API in one place. */
export interface Site {
  api: MachineBlueprint['api'];
  namespace: string;
  /** Undefined where the API knows no Clusters. */
  cluster: string | undefined;
  /** Where its Nodes are. */
  host: string;
  workers: number;
  /** What the names of its workers begin with, where that is not its Cluster's name. */
  names?: string;
}

const machineResources: Record<Site['api'], string> = {
  capi: 'machines.cluster.x-k8s.io',
  openshift: 'machines.machine.openshift.io',
  v1alpha1: 'machines.cluster.k8s.io',
};

/** The Cluster of a site, whose control plane Machines are; OpenShift has none. */
export const aCluster = (
  { api, namespace, cluster: name = '', host }: Site,
  parts: Partial<ClusterBlueprint> = {},
): ClusterBlueprint => ({
  api: api === 'v1alpha1' ? api : 'capi',
  namespace,
  name,
  host,
  controlPlane: undefined,
  isPaused: false,
  ...parts,
});

/** A worker with a Node, without a deletion and without anything special. */
export function aMachine(
  { api, namespace, cluster, host }: Site,
  { name, ...parts }: Partial<MachineBlueprint> & Pick<MachineBlueprint, 'name'>,
): MachineBlueprint {
  const scheme = api === 'capi' ? 'sim' : 'local';
  return {
    api,
    resource: machineResources[api],
    namespace,
    name,
    host,
    cluster,
    node: undefined,
    isControlPlane: false,
    providerID: `${scheme}:///${host}/${namespace}-${name}`,
    hasNodeRef: parts.node !== undefined,
    infrastructure: api === 'capi' ? aReferred() : undefined,
    bootstrap: api === 'capi' ? aReferred({ stopSeconds: 0 }) : undefined,
    hooks: [],
    timeouts: {},
    labels: {},
    annotations: {},
    earlierFinalizers: [],
    finalizers: [],
    deletedAt: [],
    ...parts,
  };
}

export const aReferred = (parts: Partial<ReferredBlueprint> = {}): ReferredBlueprint => ({
  stopSeconds: 1,
  neverStops: false,
  finalizers: [],
  ...parts,
});

export const aNode = (
  parts: Partial<NodeBlueprint> & Pick<NodeBlueprint, 'host' | 'name'>,
): NodeBlueprint => ({ providerID: '', labels: {}, finalizers: [], ...parts });

/** Where a Pod runs. */
export type Place = Pick<PodBlueprint, 'host' | 'node'>;

export const aPod = (
  place: Place,
  parts: Partial<PodBlueprint> & Pick<PodBlueprint, 'name'>,
): PodBlueprint => ({
  ...place,
  kind: 'plain',
  namespace: 'shop',
  labels: {},
  annotations: {},
  finalizers: [],
  replicaSet: undefined,
  job: undefined,
  claims: [],
  hasLocalStorage: false,
  state: 'running',
  ...parts,
});

export const aSet = (parts: Partial<SetBlueprint> & Pick<SetBlueprint, 'host' | 'name'>): SetBlueprint => ({
  kind: 'ReplicaSet',
  namespace: 'shop',
  replicas: 1,
  labels: {},
  annotations: {},
  toleratesAll: false,
  nodeSelector: {},
  ...parts,
});
