import { v1alpha1Definitions } from '../../../infra/local/kubernetes/crds/v1alpha1.ts';
import type { KubeObject, ObjectMeta } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { kubeconfigOf } from './carriage.ts';
import { ClusterStage, type NodeParts } from './cluster-stage.ts';
import type { Conditions } from './conditions.ts';
import { merge, nodeNameOf } from './recorded.ts';
import type { StageParts } from './stage.ts';

export const machines = 'machines.cluster.k8s.io';
export const clusters = 'clusters.cluster.k8s.io';
const apiVersion = 'cluster.k8s.io/v1alpha1';
const namespace = 'fleet';
const finalizer = 'machine.cluster.k8s.io';

export interface OriginalMachineParts {
  /** Name in its cluster label; null for a Machine that has none. */
  cluster?: string | null;
  isControlPlane?: boolean;
  metadata?: Partial<ObjectMeta>;
  /** Laid over what a running Machine has; null takes a field away. */
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  node?: NodeParts | null;
  hasServer?: boolean;
}

export interface OriginalParts
  extends Pick<StageParts, 'without' | 'also' | 'ownNode' | 'carrier' | 'configured' | 'environment'> {
  /** What is served beside the Machine API. */
  beside?: readonly KubeObject[];
}

/** Namespace `fleet` with Machines of v1alpha1, and the workload cluster `blue` in the same API. */
export class OriginalFleet extends ClusterStage {
  constructor(conditions: Conditions, { beside = [], ...parts }: OriginalParts = {}) {
    const machinesOf = { resource: machines, namespace };
    const definitions = [...v1alpha1Definitions, ...beside];
    super(conditions, { definitions, ...parts, machines: machinesOf });
  }

  /** A Cluster with its kubeconfig Secret and so many control plane Machines, blue-cp-1 being the first. */
  cluster(name = 'blue', members = 2): void {
    this.create(clusters, { apiVersion, kind: 'Cluster', metadata: { name, namespace }, spec: {} });
    this.secret(name, kubeconfigOf(name));
    for (let member = 1; member <= members; member += 1)
      this.machineThatRuns(`${name}-cp-${member}`, { cluster: name, isControlPlane: true });
  }

  machineThatRuns(name: string, parts: OriginalMachineParts = {}): void {
    anOriginalMachine(this, name, parts);
  }

  /** A set of workers of the cluster `blue`; answers what makes a Machine one of them. */
  machineSet(name: string, spec: { replicas: number; deletePolicy?: string }): Partial<ObjectMeta> {
    const labels = { 'cluster.k8s.io/cluster-name': 'blue', set: name };
    const { spec: ofMachine } = this.newMachine('template');
    return this.ownerOf(
      this.create('machinesets.cluster.k8s.io', {
        apiVersion,
        kind: 'MachineSet',
        metadata: { name, namespace },
        spec: {
          selector: { matchLabels: { set: name } },
          template: { metadata: { labels }, spec: ofMachine },
          ...spec,
        },
      }),
    );
  }

  /** As somebody makes it: no controller has seen to it yet. */
  newMachine(name: string, parts: OriginalMachineParts = {}): NewMachine {
    return aNewMachine(name, parts);
  }
}

/** A Machine that runs, as the original controllers leave it, with its server and its Node. */
export function anOriginalMachine(stage: ClusterStage, name: string, parts: OriginalMachineParts = {}): void {
  const { node = {} } = parts;
  const { uid = `uid-of-${nodeNameOf(name)}` } =
    node === null ? {} : stage.node(nodeNameOf(name), { providerID: `local:///${name}`, ...node }).metadata;
  const status = {
    addresses: [
      { type: 'InternalIP', address: '10.0.0.7' },
      { type: 'Hostname', address: name },
    ],
    nodeRef: { kind: 'Node', name: nodeNameOf(name), uid },
    phase: 'Running',
  };
  const { spec, metadata } = aNewMachine(name, parts);
  const { cluster = 'blue' } = parts;
  const finalizers = cluster === null ? [finalizer] : ['foregroundDeletion', finalizer];
  const created = stage.create(machines, {
    apiVersion,
    kind: 'Machine',
    metadata: {
      ...metadata,
      finalizers: [...finalizers, ...(parts.metadata?.finalizers ?? [])],
      ownerReferences: parts.metadata?.ownerReferences ?? ownersIn(stage, cluster),
    },
    spec: merge(merge({ providerID: `local:///${name}` }, spec), parts.spec ?? {}),
    status: merge(status, parts.status ?? {}),
  });
  if (parts.hasServer !== false) stage.provider.cloud.adopt(created);
}

type NewMachine = ReturnType<typeof aNewMachine>;

function aNewMachine(
  name: string,
  { cluster = 'blue', isControlPlane = false, metadata = {} }: OriginalMachineParts = {},
) {
  const labels = {
    ...(cluster !== null && { 'cluster.k8s.io/cluster-name': cluster }),
    ...metadata.labels,
  };
  const versions = { kubelet: '1.15.3', ...(isControlPlane && { controlPlane: '1.15.3' }) };
  return {
    apiVersion,
    kind: 'Machine',
    metadata: { namespace, ...metadata, name, labels },
    spec: { metadata: {}, providerSpec: { value: { size: 'small' } }, versions },
  };
}

function ownersIn(stage: ClusterStage, cluster: string | null): NonNullable<ObjectMeta['ownerReferences']> {
  const found = cluster === null ? undefined : stage.server.cluster.get(clusters, namespace, cluster);
  if (found === undefined) return [];
  const { name, uid = '' } = found.metadata;
  return [{ apiVersion, kind: 'Cluster', name, uid, blockOwnerDeletion: true }];
}
