import * as z from 'zod';
import type { KubeObject, ObjectMeta } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { asV1Beta1, type RecordedMachine } from '../../shared/dialects/capi/golden.ts';
import { kubeconfigOf } from './carriage.ts';
import { ClusterStage, type NodeParts } from './cluster-stage.ts';
import type { Conditions } from './conditions.ts';
import { definitionsOf } from './definitions.ts';
import { withoutHookTimes } from './hook-times.ts';
import { merge, nodeNameOf, recordedAs } from './recorded.ts';
import type { StageParts } from './stage.ts';

const providerFinalizer = 'machine.infrastructure.local.phaseout.dev';

export const resources = {
  machines: 'machines.cluster.x-k8s.io',
  clusters: 'clusters.cluster.x-k8s.io',
  rules: 'machinedrainrules.cluster.x-k8s.io',
  infrastructure: 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
  bootstrap: 'genericbootstrapconfigs.bootstrap.cluster.x-k8s.io',
  controlPlanes: 'genericcontrolplanes.controlplane.cluster.x-k8s.io',
} as const;

export interface WorkerParts {
  cluster?: string;
  metadata?: Partial<ObjectMeta>;
  /** Laid over the recorded spec; null takes a field away. */
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  infrastructure?: Partial<ObjectMeta> | null;
  bootstrap?: Partial<ObjectMeta> | null;
  /** Null for a Machine whose Node does not exist. */
  node?: NodeParts | null;
}

export interface FleetParts
  extends Pick<
    StageParts,
    | 'without'
    | 'also'
    | 'everywhere'
    | 'watchFilter'
    | 'duePingSource'
    | 'carrier'
    | 'configured'
    | 'environment'
  > {
  /** The only version of Cluster API that is served. */
  version?: 'v1beta1' | 'v1beta2';
  /** False for Cluster API before 1.14: it does not write since when it waits for hooks. */
  tellsOfHooks?: boolean;
  /** What is served beside Cluster API. */
  beside?: readonly KubeObject[];
}

/** Namespace `fleet` of a management cluster, and the workload cluster `blue` in the same API. */
export class Fleet extends ClusterStage {
  readonly #version: string;

  constructor(conditions: Conditions, { version, tellsOfHooks = true, beside = [], ...parts }: FleetParts) {
    const served = definitionsOf(version);
    super(conditions, {
      definitions: [...(tellsOfHooks ? served : served.map(withoutHookTimes)), ...beside],
      ...parts,
      machines: { resource: resources.machines, namespace: 'fleet' },
    });
    this.#version = version ?? 'v1beta2';
  }

  /** A Cluster with its kubeconfig Secret and two control plane Machines. */
  cluster(name = 'blue', { members = 2, spec = {} }: { members?: number; spec?: object } = {}): void {
    this.create(resources.clusters, this.#fleetObject('Cluster', name, { spec }));
    this.secret(name, kubeconfigOf(name));
    for (let member = 1; member <= members; member += 1)
      this.controlPlaneMember(`${name}-cp-${member}`, name);
  }

  controlPlaneMember(name: string, cluster = 'blue'): void {
    const metadata = { labels: { 'cluster.x-k8s.io/control-plane': '' } };
    // No story deletes it: the objects that it refers to do not matter.
    this.worker(name, { cluster, metadata, infrastructure: null, bootstrap: null });
  }

  /** A Machine that runs, as Cluster API leaves it, with its objects and its Node (worker-1 has node-1). */
  worker(name: string, parts: WorkerParts = {}): void {
    const [machine] = recordedAs(name);
    const { cluster = 'blue', metadata = {}, infrastructure = {}, bootstrap = {}, node = {} } = parts;
    const labels = { 'cluster.x-k8s.io/cluster-name': cluster, ...metadata.labels };
    const finalizers = ['machine.cluster.x-k8s.io', ...(metadata.finalizers ?? [])];
    const merged = merge(machine!, {
      spec: { clusterName: cluster, ...parts.spec },
      status: parts.status ?? {},
    });
    if (node !== null) this.node(nodeNameOf(name), { providerID: `peer://${name}`, ...node });
    if (infrastructure !== null) this.#referred('infrastructure', name, infrastructure);
    if (bootstrap !== null) this.#referred('bootstrap', name, bootstrap);
    const meta = { namespace: 'fleet', ...metadata, name, labels, finalizers };
    this.create(resources.machines, this.#atVersion({ ...merged, metadata: meta }));
  }

  /** A set whose Machines are there already; answers what makes a Machine one of them. */
  machineSet(name: string, spec: { replicas: number; deletion?: { order: string } }): Partial<ObjectMeta> {
    const { spec: ofMachine } = recordedAs('template')[0]!;
    const selector = { matchLabels: { set: name } };
    const template = { metadata: { labels: { set: name } }, spec: ofMachine };
    const fields = { spec: { clusterName: 'blue', selector, template, ...spec } };
    return this.ownerOf(
      this.create('machinesets.cluster.x-k8s.io', this.#fleetObject('MachineSet', name, fields)),
    );
  }

  rule(name: string, spec: object): void {
    this.create(resources.rules, this.#fleetObject('MachineDrainRule', name, { spec }));
  }

  isInfrastructureGoing(name: string): boolean {
    const object = this.server.cluster.get(resources.infrastructure, 'fleet', name);
    return object?.metadata.deletionTimestamp !== undefined;
  }

  #referred(group: 'infrastructure' | 'bootstrap', name: string, metadata: Partial<ObjectMeta>): void {
    const kind = group === 'infrastructure' ? 'GenericInfrastructureMachine' : 'GenericBootstrapConfig';
    const finalizers = group === 'infrastructure' ? [providerFinalizer] : [];
    this.create(resources[group], {
      apiVersion: `${group}.cluster.x-k8s.io/v1beta2`,
      kind,
      metadata: { finalizers, ...metadata, name, namespace: 'fleet' },
      spec: group === 'infrastructure' ? { providerID: `peer://${name}` } : {},
      status: {
        conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '' }],
        deprecated: { v1beta1: { conditions: [{ type: 'Ready', status: 'True' }] } },
      },
    });
  }

  #atVersion(machine: KubeObject): KubeObject {
    return this.#version === 'v1beta1' ? asV1Beta1(z.custom<RecordedMachine>().parse(machine)) : machine;
  }

  #fleetObject(kind: string, name: string, fields: object): KubeObject {
    const metadata = { name, namespace: 'fleet' };
    return { apiVersion: `cluster.x-k8s.io/${this.#version}`, kind, metadata, ...fields };
  }
}
