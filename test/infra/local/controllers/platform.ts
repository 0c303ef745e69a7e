import { type ControllerOptions, startControllers } from '../../../../infra/local/controllers/index.ts';
import type {
  Claim,
  Namespace,
  Node,
  PersistentVolume,
  Pod,
  PodDisruptionBudget,
  PodSpec,
  Taint,
  VolumeAttachment,
  Workload,
} from '../../../../infra/local/controllers/machinery/objects.ts';
import type { Machine, MachineSet } from '../../../../infra/local/controllers/machines/apis.ts';
import type {
  Cluster,
  KubeObject,
  ObjectMeta,
  OwnerReference,
} from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { type Cloud, createCloud } from '../../../../infra/local/provider/cloud.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

interface Kinds {
  pods: Pod;
  nodes: Node;
  namespaces: Namespace;
  persistentvolumes: PersistentVolume;
  persistentvolumeclaims: Claim;
  'volumeattachments.storage.k8s.io': VolumeAttachment;
  'poddisruptionbudgets.policy': PodDisruptionBudget;
  'deployments.apps': Workload;
  'replicasets.apps': Workload;
  'statefulsets.apps': Workload;
  'daemonsets.apps': Workload;
  'jobs.batch': Workload;
  'machines.cluster.x-k8s.io': Machine;
  'machines.machine.openshift.io': Machine;
  'machines.cluster.k8s.io': Machine;
  'machinesets.cluster.x-k8s.io': MachineSet;
  'machinesets.machine.openshift.io': MachineSet;
  'machinesets.cluster.k8s.io': MachineSet;
}

/** What is known of a resource's objects; of the others only that they are objects. */
type ObjectOf<R extends string> = R extends keyof Kinds ? Kinds[R] : KubeObject;

export interface TestPlatformOptions extends ControllerOptions {
  definitions?: readonly KubeObject[];
  /** What is there before the controllers are, as a dump shows it. */
  loaded?: readonly KubeObject[];
  /** Servers take two seconds to start and to stop. */
  withCloud?: boolean;
}

/** A cluster with controllers on a clock that tests move. */
export function aPlatform({
  definitions = [],
  loaded = [],
  withCloud,
  ...options
}: TestPlatformOptions = {}) {
  const clock = new VirtualClock(start);
  const server = createApiServer({ clock, random: aRandom() });
  const { cluster } = server;
  for (const one of definitions) cluster.create('customresourcedefinitions.apiextensions.k8s.io', one);
  for (const one of loaded) if (server.restore(one) === undefined) throw new Error(`not served: ${one.kind}`);
  const reported: string[] = [];
  const report = (error: unknown, about: string) => reported.push(`${about}: ${String(error)}`);
  const cloud: Cloud | undefined = withCloud ? createCloud({ clock, random: () => 0.5 }) : undefined;
  const stopControllers = startControllers(cluster, clock, { report, cloud, ...options });
  const list = <R extends string>(resource: R) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a resource has objects of one kind
    cluster.list(resource) as ObjectOf<R>[];
  const get = <R extends string>(resource: R, name: string, namespace = 'default') =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    cluster.get(resource, namespace, name) as ObjectOf<R> | undefined;
  return {
    clock,
    cluster,
    cloud: () => cloud!,
    reported,
    list,
    get,
    pod: (name: string) => get('pods', name),
    node: (name: string) => get('nodes', name, '')!,
    pods: () => list('pods').map(({ metadata }) => metadata.name),
    seconds: (count: number) => clock.advance(count * 1000),
    /** Ends it. Whatever a controller could not do fails the test. */
    stop() {
      stopControllers();
      cloud?.close();
      if (reported.length > 0) throw new Error(reported.join('\n'));
    },
    remove(resource: string, name: string, namespace = 'default') {
      cluster.remove(resource, { metadata: { name, ...(namespace && { namespace }) } });
    },
    setReady: (name: string, status: string) => setReady(cluster, name, status),
    addNode(name: string, { labels = {}, ready = 'True', ...spec }: NodeFields = {}) {
      cluster.create('nodes', { metadata: { name, labels }, spec });
      setReady(cluster, name, ready);
    },
    addPod: (name: string, fields: PodFields = {}) => cluster.create('pods', aPod(name, fields)),
    create: (resource: string, object: KubeObject) => cluster.create(resource, object),
    /** Somebody writes just before the next patch of a controller that `meets` says yes to. */
    forestall(meets: (patch: unknown) => boolean, write: () => void) {
      const usual = cluster.patch.bind(cluster);
      cluster.patch = (resource, key, patch, subresource) => {
        if (!meets(patch)) return usual(resource, key, patch, subresource);
        cluster.patch = usual;
        write();
        return usual(resource, key, patch, subresource);
      };
    },
    patch(resource: string, name: string, patch: object, subresource = '') {
      const metadata = resource === 'nodes' ? { name } : { name, namespace: 'default' };
      return cluster.patch(resource, { metadata }, patch, subresource);
    },
  };
}

/** The same numbers each time, so that generated names are. */
function aRandom() {
  let state = 1;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export type Platform = ReturnType<typeof aPlatform>;

function setReady(cluster: Cluster, name: string, status: string) {
  const conditions = [{ type: 'Ready', status }];
  cluster.patch('nodes', { metadata: { name } }, { status: { conditions } }, 'status');
}

interface NodeFields {
  labels?: Record<string, string>;
  /** Status of the condition Ready. */
  ready?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  providerID?: string;
}

interface PodFields extends PodSpec {
  node?: string;
  grace?: number;
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
  owner?: OwnerReference;
}

export function aPod(name: string, fields: PodFields = {}): KubeObject {
  const { node, grace = 30, annotations = {}, labels = {}, owner, ...spec } = fields;
  const ownerReferences = owner ? [{ ...owner, controller: true }] : [];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta(name, { annotations, labels, ownerReferences }),
    spec: {
      containers: [{ name: 'c', image: 'img:1' }],
      terminationGracePeriodSeconds: grace,
      ...(node && { nodeName: node }),
      ...spec,
    },
  };
}

interface WorkloadFields {
  /** Of its Pods, as `pod` is the rest of their spec. */
  annotations?: Record<string, string>;
  pod?: PodSpec;
  [field: string]: unknown;
}

/** A Deployment, ReplicaSet, StatefulSet, DaemonSet or Job whose Pods carry the label `app` with its name. */
export function aWorkload(kind: string, name: string, fields: WorkloadFields = {}): Workload {
  const { annotations = {}, pod = {}, ...spec } = fields;
  return {
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: meta(name),
    spec: {
      ...(kind !== 'Job' && { selector: { matchLabels: { app: name } } }),
      template: {
        metadata: { labels: { app: name }, annotations },
        spec: { containers: [{ name: 'c', image: 'img:1' }], ...pod },
      },
      ...spec,
    },
  };
}

export function meta(name: string, rest: Partial<ObjectMeta> = {}): ObjectMeta {
  return { name, namespace: 'default', ...rest };
}

/** A definition of a custom kind as small as the API server takes it. */
export function aDefinition(group: string, kind: string, version = 'v1beta2'): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          subresources: { status: {} },
        },
      ],
    },
  };
}
