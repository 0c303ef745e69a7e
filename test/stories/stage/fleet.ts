import * as z from 'zod';
import type { KubeObject, ObjectMeta } from '../../../infra/local/kubernetes/cluster.ts';
import { asV1Beta1, type RecordedMachine } from '../../shared/dialects/capi/golden.ts';
import { kubeconfigOf } from './carriage.ts';
import type { Conditions } from './conditions.ts';
import { definitionsOf } from './definitions.ts';
import { merge, nodeNameOf, recordedAs } from './recorded.ts';
import { marks } from './sights.ts';
import { Stage, type StageParts } from './stage.ts';

const providerFinalizer = 'machine.infrastructure.local.phaseout.dev';

export const resources = {
  machines: 'machines.cluster.x-k8s.io',
  clusters: 'clusters.cluster.x-k8s.io',
  rules: 'machinedrainrules.cluster.x-k8s.io',
  infrastructure: 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
  bootstrap: 'genericbootstrapconfigs.bootstrap.cluster.x-k8s.io',
  controlPlanes: 'genericcontrolplanes.controlplane.cluster.x-k8s.io',
  budgets: 'poddisruptionbudgets.policy',
} as const;

interface WorkerParts {
  cluster?: string;
  metadata?: Partial<ObjectMeta>;
  /** Laid over the recorded spec; null takes a field away. */
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  infrastructure?: Partial<ObjectMeta> | null;
  bootstrap?: Partial<ObjectMeta> | null;
  /** Null for a Machine whose Node does not exist. */
  node?: { conditions?: 'True' | 'Unknown'; providerID?: string } | null;
}

interface PodParts {
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** What the story expects of it, for the watch over safety. */
  order?: number;
  stays?: boolean;
  owner?: { kind: string; name: string; uid: string };
  claim?: string;
  grace?: number;
  neverStops?: boolean;
  stopSeconds?: number;
  finalizers?: string[];
  tolerations?: unknown[];
}

export interface FleetParts {
  /** The only version of Cluster API that is served. */
  version?: 'v1beta1' | 'v1beta2';
  without?: StageParts['without'];
}

/** Namespace `fleet` of a management cluster, and the workload cluster `blue` in the same API. */
export class Fleet extends Stage {
  readonly #version: string;

  constructor(conditions: Conditions, { version, without = [] }: FleetParts) {
    super(conditions, { definitions: definitionsOf(version), without });
    this.#version = version ?? 'v1beta2';
    for (const name of ['fleet', 'shop']) this.create('namespaces', { metadata: { name } });
  }

  /** A Cluster with its kubeconfig Secret and two control plane Machines. */
  cluster(name = 'blue', { members = 2, spec = {} }: { members?: number; spec?: object } = {}): void {
    this.create(resources.clusters, this.#fleetObject('Cluster', name, { spec }));
    this.secret(name, kubeconfigOf(name));
    for (let member = 1; member <= members; member += 1)
      this.controlPlaneMember(`${name}-cp-${member}`, name);
  }

  secret(cluster: string, kubeconfig: string): void {
    const data = { value: Buffer.from(kubeconfig).toString('base64') };
    const metadata = { name: `${cluster}-kubeconfig`, namespace: 'fleet' };
    this.create('secrets', { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
  }

  controlPlaneMember(name: string, cluster = 'blue'): void {
    const metadata = { labels: { 'cluster.x-k8s.io/control-plane': '' } };
    // Nobody deletes it in any story: what it refers to does not matter.
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

  node(name: string, { conditions = 'True', providerID = '' }: NonNullable<WorkerParts['node']> = {}): void {
    const [, recorded] = recordedAs(name);
    const now = new Date(this.clock.now()).toISOString();
    const metadata = { name, labels: { 'kubernetes.io/hostname': name } };
    this.create('nodes', { ...recorded, metadata, spec: { providerID } });
    if (conditions === 'Unknown') this.silence(name, now);
  }

  /** Its kubelet is not heard of any more. */
  silence(name: string, since = new Date(this.clock.now()).toISOString()): void {
    const condition = {
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      lastTransitionTime: since,
    };
    const { cluster } = this.server;
    cluster.patch('nodes', { metadata: { name } }, { status: { conditions: [condition] } }, 'status');
  }

  /** A Pod that runs on the Node. */
  pod(name: string, node: string, parts: PodParts = {}): KubeObject {
    const { namespace = 'shop', labels = {}, owner, claim, grace = 30, finalizers } = parts;
    const annotations = annotationsOf(parts);
    const volumes =
      claim === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: claim } }];
    const apiVersion = owner?.kind === 'Job' ? 'batch/v1' : 'apps/v1';
    const ownerReferences = owner === undefined ? [] : [{ apiVersion, ...owner, controller: true }];
    return this.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels, annotations, ownerReferences, ...(finalizers && { finalizers }) },
      spec: {
        nodeName: node,
        containers: [{ name: 'c', image: 'registry.example/app:1' }],
        terminationGracePeriodSeconds: grace,
        ...(volumes.length > 0 && { volumes }),
        ...(parts.tolerations && { tolerations: parts.tolerations }),
      },
    });
  }

  pods(prefix: string, count: number, node: string, parts: PodParts = {}): void {
    for (let index = 0; index < count; index += 1) {
      this.pod(`${prefix}-${String(index).padStart(2, '0')}`, node, parts);
    }
  }

  /** A ReplicaSet whose Pods all run on the Node to begin with; what replaces them goes elsewhere. */
  replicas(name: string, count: number, node: string, parts: PodParts = {}): void {
    const labels = { app: name, ...parts.labels };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'c', image: 'registry.example/app:1' }] },
    };
    const spec = { replicas: count, selector: { matchLabels: { app: name } }, template };
    const metadata = { name, namespace: parts.namespace ?? 'shop' };
    const { uid = '' } = this.create('replicasets.apps', {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata,
      spec,
    }).metadata;
    this.pods(name, count, node, { ...parts, labels, owner: { kind: 'ReplicaSet', name, uid } });
  }

  budget(name: string, spec: object, namespace = 'shop'): void {
    const metadata = { name, namespace };
    this.create(resources.budgets, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec });
  }

  rule(name: string, spec: object): void {
    this.create(resources.rules, this.#fleetObject('MachineDrainRule', name, { spec }));
  }

  /** A volume that is bound to the claim of that name. */
  volume(name: string, namespace = 'shop'): void {
    const claimRef = { kind: 'PersistentVolumeClaim', namespace, name };
    const csi = { driver: 'csi.example', volumeHandle: name };
    const capacity = { storage: '1Gi' };
    const accessModes = ['ReadWriteOnce'];
    this.create('persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pv-${name}` },
      spec: { capacity, accessModes, csi, claimRef, persistentVolumeReclaimPolicy: 'Retain' },
    });
    this.create('persistentvolumeclaims', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace },
      spec: { accessModes, resources: { requests: capacity }, volumeName: `pv-${name}` },
      status: { phase: 'Bound' },
    });
  }

  machine(name: string): KubeObject | undefined {
    return this.server.cluster.get(resources.machines, 'fleet', name);
  }

  isInfrastructureGoing(name: string): boolean {
    const object = this.server.cluster.get(resources.infrastructure, 'fleet', name);
    return object?.metadata.deletionTimestamp !== undefined;
  }

  delete(name: string): void {
    this.told.say(`${name} is to be deleted`);
    this.server.cluster.remove(resources.machines, { metadata: { name, namespace: 'fleet' } });
  }

  /** Changes an object of the namespace `fleet`. */
  change(resource: string, name: string, patch: object, subresource = ''): void {
    this.server.cluster.patch(resource, { metadata: { name, namespace: 'fleet' } }, patch, subresource);
  }

  annotate(name: string, annotations: Record<string, string | null>): void {
    const words = Object.entries(annotations).map(([key, value]) => (value === null ? `-${key}` : `+${key}`));
    this.told.say(`somebody annotates ${name}: ${words.join(', ')}`);
    this.change(resources.machines, name, { metadata: { annotations } });
  }

  gone(name: string): Promise<void> {
    return this.until(`${name} is gone`, () => this.machine(name) === undefined);
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

function annotationsOf({
  annotations,
  order,
  stays,
  neverStops,
  stopSeconds,
}: PodParts): Record<string, string> {
  return {
    ...annotations,
    ...(order === undefined ? {} : { [marks.order]: String(order) }),
    ...(stays === true ? { [marks.stays]: '' } : {}),
    ...(neverStops === true ? { 'local.phaseout.dev/never-stops': 'true' } : {}),
    ...(stopSeconds === undefined ? {} : { 'local.phaseout.dev/stop-seconds': String(stopSeconds) }),
  };
}
