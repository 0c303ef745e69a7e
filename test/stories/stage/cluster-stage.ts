import type { KubeObject, ObjectMeta } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Conditions } from './conditions.ts';
import { recordedAs } from './recorded.ts';
import { marks } from './sights.ts';
import { Stage, type StageParts } from './stage.ts';

export interface PodParts {
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

export interface NodeParts {
  conditions?: 'True' | 'Unknown';
  providerID?: string;
  labels?: Record<string, string>;
}

interface ClusterStageParts extends StageParts {
  /** Whose stories they are, and where they live. */
  machines: { resource: string; namespace: string };
}

const budgets = 'poddisruptionbudgets.policy';

/** A stage with Machines of one API in one namespace. Nodes and Pods are in the same API server. */
export class ClusterStage extends Stage {
  readonly #machines: ClusterStageParts['machines'];

  constructor(conditions: Conditions, parts: ClusterStageParts) {
    super(conditions, { ...parts, namespaces: [parts.machines.namespace] });
    this.#machines = parts.machines;
    for (const name of [parts.machines.namespace, 'shop']) this.create('namespaces', { metadata: { name } });
  }

  node(name: string, parts: NodeParts = {}): KubeObject {
    const { conditions = 'True', providerID = '', labels = {} } = parts;
    const [, recorded] = recordedAs(name);
    const now = new Date(this.clock.now()).toISOString();
    const metadata = { name, labels: { 'kubernetes.io/hostname': name, ...labels } };
    const node = this.create('nodes', { ...recorded, metadata, spec: { providerID } });
    if (conditions === 'Unknown') this.silence(name, now);
    return node;
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
    this.create(budgets, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec });
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

  /** A volume is attached to a Node, where no controller does that, until what is returned is called. */
  attach(volume: string, nodeName: string): () => void {
    const metadata = { name: `${volume}-on-${nodeName}` };
    this.create('volumeattachments.storage.k8s.io', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata,
      spec: { attacher: 'csi.example', nodeName, source: { persistentVolumeName: `pv-${volume}` } },
      status: { attached: true },
    });
    return () => this.server.cluster.remove('volumeattachments.storage.k8s.io', { metadata });
  }

  secret(cluster: string, kubeconfig: string): void {
    const data = { value: Buffer.from(kubeconfig).toString('base64') };
    const metadata = { name: `${cluster}-kubeconfig`, namespace: this.#machines.namespace };
    this.create('secrets', { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
  }

  /** A DeletionHook of the Machines' namespace, and the key of its tokens. */
  deletionHook(name: string, spec: object): void {
    const { namespace } = this.#machines;
    if (this.server.cluster.get('secrets', namespace, 'hook-key') === undefined) this.deletionHookKey();
    this.create('deletionhooks.phaseout.dev', {
      apiVersion: 'phaseout.dev/v1alpha1',
      kind: 'DeletionHook',
      metadata: { name, namespace },
      spec,
    });
  }

  /** A DrainPolicy of the Machines' namespace. */
  drainPolicy(name: string, spec: object): void {
    this.create('drainpolicies.phaseout.dev', {
      apiVersion: 'phaseout.dev/v1alpha1',
      kind: 'DrainPolicy',
      metadata: { name, namespace: this.#machines.namespace },
      spec,
    });
  }

  /** It is a problem if more Machines than this have begun at once, at any moment from now on. */
  limitsBegun(max: number): void {
    const { resource } = this.#machines;
    const { cluster } = this.server;
    const check = (): void => {
      const begun = cluster.list(resource).filter((machine) => hasBegun(machine, cluster.list('nodes')));
      const names = begun.map(({ metadata }) => metadata.name);
      if (names.length > max) this.problems.push(`begun at once: ${names.join(', ')}`);
    };
    cluster.watch(resource, check);
    cluster.watch('nodes', check);
  }

  /** The Secret with the key of tokens. */
  deletionHookKey(): void {
    const data = { key: Buffer.from('a key of this story').toString('base64') };
    const metadata = { name: 'hook-key', namespace: this.#machines.namespace };
    this.create('secrets', { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
  }

  machine(name: string): KubeObject | undefined {
    const { resource, namespace } = this.#machines;
    return this.server.cluster.get(resource, namespace, name);
  }

  delete(name: string): void {
    const { resource, namespace } = this.#machines;
    this.told.say(`${name} is to be deleted`);
    this.server.cluster.remove(resource, { metadata: { name, namespace } });
  }

  /** What the provider does with the Machine's server. */
  serverState(name: string): string | undefined {
    const machine = this.machine(name);
    return machine === undefined ? undefined : this.provider.serverOf(machine)?.state;
  }

  /** Changes an object of the Machines' namespace. */
  change(resource: string, name: string, patch: object, subresource = ''): void {
    const { namespace } = this.#machines;
    this.server.cluster.patch(resource, { metadata: { name, namespace } }, patch, subresource);
  }

  annotate(name: string, annotations: Record<string, string | null>): void {
    const words = Object.entries(annotations).map(([key, value]) => (value === null ? `-${key}` : `+${key}`));
    this.told.say(`somebody annotates ${name}: ${words.join(', ')}`);
    this.change(this.#machines.resource, name, { metadata: { annotations } });
  }

  /** What makes an object one of those that the owner controls. */
  ownerOf({ apiVersion = '', kind = '', metadata: { name, uid = '' } }: KubeObject): Partial<ObjectMeta> {
    return { ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }] };
  }

  /** Machines of the story that are alive. */
  alive(): string[] {
    return this.server.cluster
      .list(this.#machines.resource)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name);
  }

  gone(name: string): Promise<void> {
    return this.until(`${name} is gone`, () => this.machine(name) === undefined);
  }
}

/** By its checkpoint, or by its Node: it is cordoned while the Machine is being deleted. */
function hasBegun({ metadata, status }: KubeObject, nodes: readonly KubeObject[]): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  const checkpoint = metadata.annotations?.['phaseout.dev/checkpoint'];
  const isPast = checkpoint !== undefined && !checkpoint.includes('"phase":"pre-drain"');
  const node = nodes.find((each) => each.metadata.name === textAt(status, 'nodeRef', 'name'));
  return isPast || recordAt(node, 'spec')['unschedulable'] === true;
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
